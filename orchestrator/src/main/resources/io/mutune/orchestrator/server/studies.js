// The list of studies: filtered, in an order, a hundred at a time; those that are marked can be compared.
'use strict';
const mutuneStudies = (may, refresh) => {
  const { API, place, make, ask, post, charged, cost, time, remaining, tested, again, trouble } = mutunePage;
  const PAGE = 100;
  const ACTIONS = { planned: ['pause', 'cancel'], running: ['pause', 'cancel'], interrupted: ['cancel'], paused: ['resume', 'cancel'], failed: ['resume', 'cancel'] };
  const WORDS = { pause: 'Pause', resume: 'Resume', cancel: 'Cancel' };
  const seen = new Map();
  const marked = new Set();
  let offset = 0;
  let shown = '';
  let looks = 0;

  function progress(study) {
    if (!('runs' in study)) {
      return [];
    }
    const said = study.runsDone + ' of ' + study.runs + ' runs done';
    const spent = 'guarantee' in study ? 'ε does not hold' : charged('ε', study.epsilonSpent, study.epsilon);
    const [max, value] = study.steps > 0 ? [study.steps, study.stepsBegun] : [study.runs, study.runsDone];
    const left = make('span', { class: 'id left-line', 'data-left': study.study }, study.left);
    const bar = study.secretRuns ? [] : [make('progress', { max, value, 'aria-label': said }), ' '];
    return [make('p', {}, ...bar, make('span', { class: 'id' }, said + ' · ' + spent), ' ', left)];
  }

  function figures(study) {
    const parts = [
      tested(study),
      'epsilonSpent' in study && !('runs' in study) && !('guarantee' in study) ? 'ε ' + cost(study.epsilonSpent) : '',
      study.strategy ? study.strategy + ' with ' + study.method : '',
      'seconds' in study ? time(study.seconds) : '',
    ].filter((part) => part);
    const holdsNot = study.guarantee === 'void' ? [make('p', { class: 'void-line' }, 'No ε: ' + study.why)] : [];
    return [...(parts.length ? [make('p', { class: 'figures-line' }, parts.join(' · '))] : []), ...holdsNot];
  }

  async function act(study, action) {
    const question = study.next
      ? 'End the schedule of ' + study.name + '? It runs no more.'
      : 'Cancel ' + study.name + ' for good? What was charged stays charged.';
    if (action === 'cancel' && !confirm(question)) {
      return;
    }
    try {
      await post(API + '/studies/' + study.study + '/' + action);
      trouble('');
    } catch (e) {
      trouble(e.message);
    }
    refresh();
  }

  function buttons(study) {
    if (!may('submit')) {
      return [];
    }
    // What 'mutune run' runs by itself is stopped and gone on with there.
    const actions = study.next ? ['cancel'] : (ACTIONS[study.state] || []).filter((action) => (study.queued && !(action === 'pause' && study.secretRuns && study.state === 'running')) || action === 'cancel');
    return actions.map((action) => {
      const word = study.next ? 'End schedule' : WORDS[action];
      const button = make('button', { type: 'button', class: 'plain', 'aria-label': word + ' ' + study.name + '-' + study.study, 'data-focus': study.study + action }, word);
      button.addEventListener('click', () => act(study, action));
      return button;
    });
  }

  function links(study) {
    const base = API + '/studies/' + study.study;
    const link = (word, href) => make('a', { href, target: '_blank', rel: 'noopener', 'aria-label': word + ' of ' + study.name + '-' + study.study }, word);
    const account = study.account ? [make('a', { href: '#/accounts/' + encodeURIComponent(study.account), 'data-focus': study.study + 'account' }, 'Account ' + study.account)] : [];
    return [...(study.report ? [link('Report', base + '/report.html')] : []), link('Statement', base + '/statement'), ...account];
  }

  function mark(study) {
    const box = make('input', { type: 'checkbox', 'aria-label': 'Compare ' + study.name + '-' + study.study, 'data-focus': study.study + 'mark' });
    box.checked = marked.has(study.study);
    box.addEventListener('change', () => {
      (box.checked ? marked.add(study.study) : marked.delete(study.study));
      showMarked();
    });
    return box;
  }

  function item(study) {
    return make('li', { id: 'study-' + study.study },
      make('div', { class: 'study-head' }, mark(study),
        make('a', { href: '#/studies/' + study.study, class: 'open', 'data-focus': study.study + 'open' }, make('strong', {}, study.name), ' ', make('span', { class: 'id' }, study.study)),
        make('span', { class: 'state state-' + study.state }, study.state),
        make('time', { class: 'id', datetime: study.created }, new Date(study.created).toLocaleString())),
      ...figures(study),
      ...(study.reason ? [make('p', {}, study.reason)] : []),
      ...progress(study),
      ...(study.next ? [make('p', { class: 'figures-line' }, ...again(study))] : []),
      make('div', { class: 'actions' }, ...links(study), ...buttons(study)));
  }

  function showMarked() {
    const n = marked.size;
    place('compare').disabled = n < 2;
    place('compare').textContent = n < 2 ? 'Compare (mark two or more)' : 'Compare ' + n + ' studies';
  }

  // Said to screen readers only when something has changed, and not at the first sight of it.
  function tell(studies) {
    const news = studies
      .filter((s) => seen.has(s.study) && seen.get(s.study) !== s.state)
      .map((s) => s.name + ' ' + s.study + ' is ' + s.state);
    studies.forEach((s) => seen.set(s.study, s.state));
    if (news.length) {
      place('news').textContent = news.join('; ');
    }
  }

  function showPages(list) {
    const last = offset + list.studies.length;
    place('pages').hidden = list.matching <= PAGE && offset === 0;
    place('pages-said').textContent = (list.studies.length ? offset + 1 : 0) + ' to ' + last + ' of ' + list.matching;
    place('pages-before').disabled = offset === 0;
    place('pages-next').disabled = last >= list.matching;
  }

  async function show() {
    looks += 1;
    const mine = looks;
    const query = new URLSearchParams({ limit: PAGE, offset, sort: place('filter-sort').value });
    [['text', 'filter-text'], ['state', 'filter-state']].filter(([, id]) => place(id).value.trim()).forEach(([key, id]) => query.set(key, place(id).value.trim()));
    const list = await ask(API + '/studies?' + query);
    // An answer to an earlier filter or page can come after a later one's.
    if (mine !== looks) {
      return;
    }
    // There are fewer than there were: the last page is the one to see.
    if (list.studies.length === 0 && offset > 0) {
      offset = PAGE * Math.max(0, Math.ceil(list.matching / PAGE) - 1);
      await show();
      return;
    }
    // The time that is left changes with every look: it is put in its place alone.
    const left = list.studies.map((s) => remaining(s));
    list.studies.forEach((s) => { delete s.secondsLeft; });
    const text = JSON.stringify([list, offset, may('submit')]);
    list.studies.forEach((s, i) => { s.left = left[i]; });
    place('no-studies').hidden = list.studies.length > 0;
    place('no-studies').textContent = list.all ? 'None of ' + list.all + ' is like that.' : 'There are none yet.';
    if (text !== shown) {
      shown = text;
      // Whoever is on a control that is drawn anew stays on it.
      const focus = place('studies').contains(document.activeElement) && document.activeElement.dataset.focus;
      place('studies').replaceChildren(...list.studies.map(item));
      if (focus) {
        const again = place('studies').querySelector('[data-focus="' + CSS.escape(focus) + '"]');
        (again || place('studies-title')).focus();
      }
      showPages(list);
    } else {
      list.studies.forEach((s) => {
        const said = place('studies').querySelector('[data-left="' + s.study + '"]');
        if (said && said.textContent !== s.left) {
          said.textContent = s.left;
        }
      });
    }
    tell(list.studies);
  }

  function turn(by) {
    offset = Math.max(0, offset + by);
    refresh();
    place('studies-title').focus();
  }

  const anew = () => { offset = 0; refresh(); };
  place('filter').addEventListener('submit', (event) => { event.preventDefault(); anew(); });
  place('filter-text').addEventListener('input', anew);
  place('filter-state').addEventListener('change', anew);
  place('filter-sort').addEventListener('change', anew);
  place('pages-before').addEventListener('click', () => turn(-PAGE));
  place('pages-next').addEventListener('click', () => turn(PAGE));
  place('compare').addEventListener('click', () => { location.hash = '#/compare/' + [...marked].join(','); });
  showMarked();

  return { show, buttons };
};
