// Data sets' accounts on the dashboard: how each stands, over time, and the studies that have drawn on it.
'use strict';
const mutuneAccounts = ({ API, place, make, ask, cost, left, small, trouble }) => {
  let opened = null;
  let openedBy = null;
  let listed = '';
  let drawn = '';

  const share = (mu, cap) => (mu / cap) ** 2;
  const head = (...words) => make('thead', {}, make('tr', {}, ...words.map((word) => make('th', { scope: 'col' }, word))));
  const row = (first, ...rest) => make('tr', {}, make('th', { scope: 'row' }, first), ...rest.map((cell) => make('td', {}, cell)));
  const many = (n, one) => n + ' ' + one + (n === 1 ? ' study' : ' studies');

  const standing = (a) => 'μ ' + cost(a.settled.mu) + ' spent · ' + cost(a.reserved.mu) + ' reserved · ' + left(a.left.mu) + ' left of ' + left(a.cap.mu)
    + ('epsilon' in a.left ? ' · one more study of ε ' + left(a.left.epsilon) + ' at δ ' + small(a.delta) + ' fits' : ' · no finite ε: it protects nothing');

  function item(account) {
    const said = Math.round(100 * share(account.held.mu, account.cap.mu)) + ' % of the budget is spent or reserved';
    const button = make('button', { type: 'button', class: 'plain', 'aria-label': 'Budget over time of the account ' + account.account, 'data-focus': 'account' + account.account }, 'Budget');
    button.addEventListener('click', () => open(account.account, 'account' + account.account));
    return make('li', {},
      make('div', { class: 'study-head' }, make('strong', {}, account.account), make('span', { class: 'id' }, account.adjacency + ' neighbours')),
      make('p', {}, make('progress', { max: 1, value: Math.min(1, share(account.held.mu, account.cap.mu)), 'aria-label': said }), ' ', make('span', { class: 'id' }, said)),
      make('p', { class: 'id' }, standing(account)),
      make('div', { class: 'actions' }, button));
  }

  const control = (focus) => focus && document.querySelector('[data-focus="' + CSS.escape(focus) + '"]');

  async function show() {
    const { accounts } = await ask(API + '/accounts');
    const text = JSON.stringify(accounts);
    place('accounts-section').hidden = accounts.length === 0;
    if (text !== listed) {
      listed = text;
      const focus = place('accounts').contains(document.activeElement) ? document.activeElement.dataset.focus : null;
      place('accounts').replaceChildren(...accounts.map(item));
      if (focus) {
        (control(focus) || place('accounts-title')).focus();
      }
    }
    await showOpened();
  }

  async function open(name, by) {
    opened = name;
    openedBy = by;
    drawn = '';
    try {
      await showOpened();
      place('account-section').focus();
      place('account-section').scrollIntoView({ block: 'nearest' });
    } catch (e) {
      trouble(e.message);
    }
  }

  async function showOpened() {
    if (!opened) {
      return;
    }
    const path = API + '/accounts/' + encodeURIComponent(opened);
    const [account, history] = await Promise.all([ask(path), ask(path + '/history')]);
    const text = JSON.stringify([account, history]);
    if (text === drawn) {
      return;
    }
    drawn = text;
    const ended = account.studies.filter((s) => s.what === 'settled').length;
    place('account-title').textContent = 'Account of ' + account.account + ' over time';
    place('account-said').textContent = standing(account) + '. ' + many(ended, 'ended') + ' and ' + many(account.studies.length - ended, 'open') + ' have drawn on it, for '
      + account.adjacency + ' neighbours.' + (history.all > history.entries.length ? ' The newest ' + history.entries.length + ' of ' + history.all + ' entries are shown.' : '');
    showTable(history);
    showStudies(account);
    place('account-section').hidden = false;
    showChart(history);
  }

  function showTable(history) {
    const rows = history.entries.map((e) => row(String(e.entry), e.what, e.study, cost(e.mu), new Date(e.at).toLocaleString(), cost(e.settled), cost(e.reserved), left(e.left)));
    place('account-table').replaceChildren(head('Entry', 'What', 'Study', 'μ', 'Time', 'μ spent', 'μ reserved', 'μ left'), make('tbody', {}, ...rows));
  }

  function showStudies(account) {
    const named = (s) => (place('study-' + s.study) ? make('a', { href: '#study-' + s.study }, (s.name || '') + ' ' + s.study) : (s.name || '') + ' ' + s.study);
    const rows = account.studies.map((s) => row(named(s), s.state || '', s.what === 'settled' ? 'spent' : 'reserved', cost(s.mu)));
    place('account-studies').replaceChildren(head('Study', 'State', 'Counts as', 'μ'), make('tbody', {}, ...rows));
  }

  function showChart(history) {
    const begin = history.entries.length === history.all ? [{ at: history.created, settled: 0, reserved: 0 }] : [];
    const points = [...begin, ...history.entries];
    const part = (key) => points.map((p) => [p.at, share(p[key], history.cap.mu)]);
    mutuneChart.draw(place('account-plot'), { parts: [{ name: 'spent', points: part('settled') }, { name: 'reserved', points: part('reserved') }] });
  }

  place('account-close').addEventListener('click', () => {
    place('account-section').hidden = true;
    opened = null;
    (control(openedBy) || place('accounts-title')).focus();
  });

  return { show, open };
};
