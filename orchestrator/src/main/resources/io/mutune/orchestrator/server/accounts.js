// Data sets' accounts on the dashboard: how each stands, over time, and the studies that have drawn on it.
'use strict';
const mutuneAccounts = (() => {
  const { API, place, make, head, row, ask, cost, left, leaves, small, exact, many } = mutunePage;
  let listed = '';
  let drawn = '';
  let looks = 0;

  const share = (mu, cap) => (mu / cap) ** 2;
  const isUntouched = (a) => a.held.mu === 0 && !('delta0' in a.held);
  const neighbours = (a) => a.adjacency + ' neighbours' + (a.unit === 'person' ? ' that differ in one person' : '');

  // A δ that is not above δ₀ has no ε, though others may have one.
  const noEpsilon = (figure, delta) => (figure.delta0 >= delta ? 'no ε at δ ' + small(delta) + ', which is not above δ₀ ' + small(figure.delta0)
    : 'no finite ε: it protects nothing');

  const inMu = (figure, rounded) => rounded(figure.mu) + ('delta0' in figure ? ' and δ₀ ' + small(Number(rounded(figure.delta0))) : '');

  // A budget is a guarantee, and rounded up; what is left is rounded down, and would look like less where it is all.
  const standing = (a) => (isUntouched(a) ? 'μ ' + inMu(a.cap, cost) + ', all of it left'
    : 'μ ' + inMu(a.settled, cost) + ' spent · ' + inMu(a.reserved, cost) + ' reserved · ' + inMu(a.left, left) + ' left of ' + inMu(a.cap, cost))
    + (!isUntouched(a) && !leaves(a) ? ' · nothing is left' : 'epsilon' in a.left ? ' · one more study of ε ' + left(a.left.epsilon) + ' at δ ' + small(a.delta) + ' fits' : ' · ' + noEpsilon(a.cap, a.delta));

  function item(account, sets) {
    const said = Math.ceil(100 * share(account.held.mu, account.cap.mu)) + '% of the budget is spent or reserved';
    const of = sets.filter((set) => set.account === account.account);
    // Its own data set has its name; an account that was made for sweeps with files in place has none.
    const part = of.some((set) => set.name === account.account) ? 'data-sets' : 'accounts';
    const link = make('a', { href: '#/' + part + '/' + encodeURIComponent(account.account), class: 'open', 'data-focus': 'account' + account.account }, make('strong', {}, account.account));
    return make('li', {},
      make('div', { class: 'study-head' }, link, make('span', { class: 'id' }, neighbours(account))),
      make('p', {}, make('progress', { max: 1, value: Math.min(1, share(account.held.mu, account.cap.mu)), 'aria-label': said }), ' ', make('span', { class: 'id' }, said)),
      make('p', { class: 'id' }, standing(account)),
      ...of.map((set) => make('p', {}, ...(set.name === account.account ? [] : [make('a', { href: '#/data-sets/' + encodeURIComponent(set.name), 'data-focus': 'set' + set.name }, set.name), ': ']), words(set))));
  }

  // What its owner says of a data set; nothing here was read from its private rows.
  const words = (set) => (set.rows.toLocaleString('en-US') + (set.unit ? ' people' : ' rows') + ' (public count), ' + (set.target ? 'targets from ' + exact(set.target.min) + ' to ' + exact(set.target.max) : set.classes.length + ' classes')
    + (set.columns ? ', ' + set.columns.length + ' columns' : '') + ', ' + set.declared + (set.state === 'retired' ? ', retired' : '') + (set.description ? '. ' + set.description : ''));

  // Returns what there is.
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
    return { accounts, dataSets };
  }

  // A data set, with the account that its studies draw on; or an account by itself.
  async function showOne(part, name) {
    looks += 1;
    const mine = looks;
    const set = part === 'data-sets' ? await ask(API + '/data-sets/' + encodeURIComponent(name)) : null;
    const path = API + '/accounts/' + encodeURIComponent(set ? set.account : name);
    const [account, history, { dataSets }] = await Promise.all([ask(path), ask(path + '/history'), ask(API + '/data-sets')]);
    const text = JSON.stringify([set, account, history, dataSets]);
    if (text === drawn || mine !== looks) {
      return;
    }
    drawn = text;
    place('account-title').textContent = (set ? 'Data set ' : 'Account of ') + name;
    place('account-about').textContent = set ? set.description : '';
    const others = dataSets.filter((one) => one.account === account.account && !(set && one.name === name));
    showFacts(set, account, others);
    showColumns(set);
    showTiles(account);
    showSaid(set, account, history);
    place('account-drawn').hidden = account.studies.length === 0;
    if (account.studies.length) {
      showTable(history);
      showStudies(account);
      showChart(history);
    }
  }

  function showFacts(set, account, others) {
    const sets = others.flatMap((one, i) => [...(i ? [', '] : []), make('a', { href: '#/data-sets/' + encodeURIComponent(one.name) }, one.name)]);
    const parts = set ? Object.entries(set.parts).filter(([part]) => !(set.heldOut && part in set.heldOut)).map(([part, whose]) => part + ' rows ' + whose) : [];
    const facts = [
      ...(set ? [
        [set.unit ? 'People' : 'Rows', set.rows.toLocaleString('en-US') + ' (public count), ' + set.declared],
        ['Held out of them', Object.entries(set.heldOut ?? {}).map(([part, held]) => 'about ' + held.rows.toLocaleString('en-US') + ' for ' + part).join(', ')],
        set.target ? ['Targets', 'from ' + exact(set.target.min) + ' to ' + exact(set.target.max)] : ['Classes', some(set.classes)],
        ['Beside them', parts.join(', ')],
        ['Card', 'version ' + set.cardVersion + ', registered ' + new Date(set.registered).toLocaleString() + (set.owner ? ', of ' + set.owner : '') + (set.state === 'registered' ? '' : '; ' + set.state)],
        ['Called public', some(set.confirmed)],
      ] : []),
      ['Neighbours', account.adjacency + (account.unit === 'person' ? ', one person' : '')],
      [set ? 'Same people as' : 'Data sets', sets],
    ].filter(([, value]) => value.length);
    place('account-facts').replaceChildren(...facts.map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, ...[value].flat()))));
  }

  // As many as can be read.
  const some = (list) => list.slice(0, 12).join(', ') + (list.length > 12 ? ' and ' + (list.length - 12) + ' more' : '');

  function setting([key, value]) {
    return value === true ? key : key + ' ' + (Array.isArray(value) ? some(value) : value !== null && typeof value === 'object' ? some(Object.entries(value).map((e) => e.join(' as '))) : String(value));
  }

  const isEmpty = (value) => value !== null && typeof value === 'object' && Object.keys(value).length === 0;

  function showColumns(set) {
    const columns = (set && set.columns) || [];
    place('account-columns').hidden = columns.length === 0;
    const rows = columns.map(({ name, type, ...settings }) => row(name, type, Object.entries(settings).filter(([, value]) => value !== false && !isEmpty(value)).map(setting).join(', ')));
    place('account-columns-table').replaceChildren(head('Column', 'Type', 'Its cells'), make('tbody', {}, ...rows));
  }

  // How much is left comes first: in ε as one more study, which is how people think, and in μ, which adds up.
  function showTiles(account) {
    const tile = (name, epsilon, mu, more) => make('div', {}, make('dt', {}, name), make('dd', {}, epsilon, make('span', { class: 'id' }, mu + more)));
    const untouched = isUntouched(account);
    const whole = 'epsilon' in account.cap ? 'ε ' + cost(account.cap.epsilon) : noEpsilon(account.cap, account.delta);
    const spent = (figure) => (figure.mu === 0 && !('delta0' in figure) ? 'nothing' : 'epsilon' in figure ? 'ε ' + cost(figure.epsilon) : noEpsilon(figure, account.delta));
    place('account-tiles').replaceChildren(
      tile('Left', untouched ? 'all of it' : !leaves(account) ? 'nothing' : 'epsilon' in account.left ? 'ε ' + left(account.left.epsilon) : noEpsilon(account.left, account.delta), untouched ? '' : 'μ ' + inMu(account.left, left), untouched ? '' : ', as one more study'),
      tile('Spent', spent(account.settled), 'μ ' + inMu(account.settled, cost), ', by ended studies'),
      tile('Reserved', spent(account.reserved), 'μ ' + inMu(account.reserved, cost), ', by open studies'),
      tile('Budget', whole, 'μ ' + inMu(account.cap, cost), ' for ever'));
  }

  function showSaid(set, account, history) {
    const ended = account.studies.filter((s) => s.what === 'settled').length;
    const open = account.studies.length - ended;
    const drawn = account.studies.length
      ? [...(ended ? [many(ended, 'ended study', 'ended studies')] : []), ...(open ? [many(open, 'open study', 'open studies')] : [])].join(' and ') + (ended + open === 1 ? ' has' : ' have') + ' drawn on it. '
      : set && set.declared !== 'private' ? 'Its rows are ' + set.declared + ', so studies charge themselves alone and nothing is drawn on it. '
        : 'No study has drawn on it yet. ';
    const retired = set && set.state === 'retired' ? 'The data set is retired: no new study may name it. ' : '';
    place('account-said').textContent = retired + drawn + 'Each ε is at δ ' + small(account.delta) + ' and alone: squares of μ add up, ε do not'
      + (account.studies.length ? ', so the chart shows each cost as its share of the square of the budget.' : '.')
      + (history.all > history.entries.length ? ' The newest ' + history.entries.length + ' of ' + history.all + ' entries are shown.' : '');
  }

  const inEpsilon = (e) => ('epsilon' in e ? cost(e.epsilon) : 'none');

  function showTable(history) {
    const rows = history.entries.map((e) => row(String(e.entry), e.what, e.study, inEpsilon(e), inMu(e, cost), new Date(e.at).toLocaleString(), cost(e.settled), cost(e.reserved), 'epsilonLeft' in e ? left(e.epsilonLeft) : 'none', left(e.left)));
    place('account-table').replaceChildren(head('Entry', 'What', 'Study', 'ε', 'μ', 'Time', 'μ spent', 'μ reserved', 'ε left', 'μ left'), make('tbody', {}, ...rows));
  }

  function showStudies(account) {
    const named = (s) => make('a', { href: '#/studies/' + s.study }, (s.name || '') + ' ' + s.study);
    const rows = account.studies.map((s) => row(named(s), s.state || '', s.what === 'settled' ? 'spent' : 'reserved', inEpsilon(s), inMu(s, cost)));
    place('account-studies').replaceChildren(head('Study', 'State', 'Counts as', 'ε', 'μ'), make('tbody', {}, ...rows));
  }

  function showChart(history) {
    const begin = history.entries.length === history.all ? [{ at: history.created, settled: 0, reserved: 0 }] : [];
    const points = [...begin, ...history.entries];
    const part = (key) => points.map((p) => [p.at, share(p[key], history.cap.mu)]);
    mutuneChart.draw(place('account-plot'), { parts: [{ name: 'spent', points: part('settled') }, { name: 'reserved', points: part('reserved') }] });
  }

  const forget = () => {
    drawn = '';
    looks += 1;
  };
  return { show, showOne, forget };
})();
