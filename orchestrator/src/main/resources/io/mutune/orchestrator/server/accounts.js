// Data sets' accounts on the dashboard: how each stands, over time, and the studies that have drawn on it.
'use strict';
const mutuneAccounts = (() => {
  const { API, place, make, head, row, ask, cost, left, small } = mutunePage;
  let listed = '';
  let drawn = '';

  const share = (mu, cap) => (mu / cap) ** 2;
  const neighbours = (a) => a.adjacency + ' neighbours' + (a.unit === 'person' ? ' that differ in one person' : '');
  const many = (n, one) => n + ' ' + one + (n === 1 ? ' study' : ' studies');

  const standing = (a) => 'μ ' + cost(a.settled.mu) + ' spent · ' + cost(a.reserved.mu) + ' reserved · ' + left(a.left.mu) + ' left of ' + cost(a.cap.mu)
    + ('epsilon' in a.left ? ' · one more study of ε ' + left(a.left.epsilon) + ' at δ ' + small(a.delta) + ' fits' : ' · no finite ε: it protects nothing');

  function item(account, sets) {
    const said = Math.round(100 * share(account.held.mu, account.cap.mu)) + ' % of the budget is spent or reserved';
    const link = make('a', { href: '#/accounts/' + encodeURIComponent(account.account), class: 'open', 'data-focus': 'account' + account.account }, make('strong', {}, account.account));
    const of = sets.filter((set) => set.account === account.account);
    return make('li', {},
      make('div', { class: 'study-head' }, link, make('span', { class: 'id' }, neighbours(account))),
      make('p', {}, make('progress', { max: 1, value: Math.min(1, share(account.held.mu, account.cap.mu)), 'aria-label': said }), ' ', make('span', { class: 'id' }, said)),
      make('p', { class: 'id' }, standing(account)),
      ...of.map((set) => make('p', {}, words(set))));
  }

  // What its owner says of a data set; nothing here was read from its private rows.
  const words = (set) => (set.name + ': ' + set.rows + (set.unit ? ' people' : ' rows') + ' (public count), ' + (set.target ? 'targets from ' + set.target.min + ' to ' + set.target.max : set.classes.length + ' classes')
    + (set.columns ? ', ' + set.columns.length + ' columns' : '') + ', ' + set.declared + (set.state === 'retired' ? ', retired' : '') + (set.description ? '. ' + set.description : ''));

  async function show() {
    const [{ accounts }, { dataSets }] = await Promise.all([ask(API + '/accounts'), ask(API + '/data-sets')]);
    const text = JSON.stringify([accounts, dataSets]);
    place('accounts-section').hidden = accounts.length === 0;
    if (text !== listed) {
      listed = text;
      const focus = place('accounts').contains(document.activeElement) ? document.activeElement.dataset.focus : null;
      place('accounts').replaceChildren(...accounts.map((account) => item(account, dataSets)));
      if (focus) {
        (document.querySelector('[data-focus="' + CSS.escape(focus) + '"]') || place('accounts-title')).focus();
      }
    }
  }

  async function showOne(name) {
    const path = API + '/accounts/' + encodeURIComponent(name);
    const [account, history, { dataSets }] = await Promise.all([ask(path), ask(path + '/history'), ask(API + '/data-sets')]);
    const text = JSON.stringify([account, history, dataSets]);
    if (text === drawn) {
      return;
    }
    drawn = text;
    const ended = account.studies.filter((s) => s.what === 'settled').length;
    place('account-title').textContent = 'Account of ' + account.account + ' over time';
    place('account-said').textContent = standing(account) + '. ' + many(ended, 'ended') + ' and ' + many(account.studies.length - ended, 'open') + ' have drawn on it, for '
      + neighbours(account) + '. Each ε is at δ ' + small(account.delta) + ' and alone: squares of μ add up, ε do not.' + (history.all > history.entries.length ? ' The newest ' + history.entries.length + ' of ' + history.all + ' entries are shown.' : '');
    place('account-sets').replaceChildren(...dataSets.filter((set) => set.account === name).map((set) => make('li', {}, words(set))));
    showTable(history);
    showStudies(account);
    showChart(history);
  }

  const inEpsilon = (e) => ('epsilon' in e ? cost(e.epsilon) : 'none');

  function showTable(history) {
    const rows = history.entries.map((e) => row(String(e.entry), e.what, e.study, inEpsilon(e), cost(e.mu), new Date(e.at).toLocaleString(), cost(e.settled), cost(e.reserved), 'epsilonLeft' in e ? left(e.epsilonLeft) : 'none', left(e.left)));
    place('account-table').replaceChildren(head('Entry', 'What', 'Study', 'ε', 'μ', 'Time', 'μ spent', 'μ reserved', 'ε left', 'μ left'), make('tbody', {}, ...rows));
  }

  function showStudies(account) {
    const named = (s) => make('a', { href: '#/studies/' + s.study }, (s.name || '') + ' ' + s.study);
    const rows = account.studies.map((s) => row(named(s), s.state || '', s.what === 'settled' ? 'spent' : 'reserved', inEpsilon(s), cost(s.mu)));
    place('account-studies').replaceChildren(head('Study', 'State', 'Counts as', 'ε', 'μ'), make('tbody', {}, ...rows));
  }

  function showChart(history) {
    const begin = history.entries.length === history.all ? [{ at: history.created, settled: 0, reserved: 0 }] : [];
    const points = [...begin, ...history.entries];
    const part = (key) => points.map((p) => [p.at, share(p[key], history.cap.mu)]);
    mutuneChart.draw(place('account-plot'), { parts: [{ name: 'spent', points: part('settled') }, { name: 'reserved', points: part('reserved') }] });
  }

  const forget = () => { drawn = ''; };
  return { show, showOne, forget };
})();
