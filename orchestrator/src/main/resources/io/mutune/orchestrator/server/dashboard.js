// The dashboard: asks this server's API alone, and puts what it says into the page as text, never as markup.
'use strict';
(() => {
  const API = '/api/v1';
  const EVERY = 1500;
  const place = (id) => document.getElementById(id);
  const seen = new Map();
  let role = null;
  let timer = 0;
  let plannedText = null;

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }

  class Refused extends Error {
    constructor(status, problem) {
      super(problem.detail || 'the server answered ' + status);
      this.status = status;
      this.problems = problem.problems || [];
    }
  }

  async function ask(path, options = {}) {
    const response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...options });
    if (!response.ok) {
      const problem = await response.json().catch(() => ({}));
      throw new Refused(response.status, problem);
    }
    return response.status === 204 ? null : response.json();
  }

  const post = (path) => ask(path, { method: 'POST' });
  const postSweep = (path, text) => ask(path, { method: 'POST', headers: { 'Content-Type': 'application/yaml' }, body: text });

  // To four digits: a cost is never shown smaller than it is, what may be spent never larger.
  const rounded = (x, round) => {
    if (!(x > 0)) {
      return '0';
    }
    const scale = 10 ** (3 - Math.floor(Math.log10(x)));
    const near = Math.round(x * scale);
    return String(Number(((Math.abs(near - x * scale) < 1e-9 ? near : round(x * scale)) / scale).toPrecision(4)));
  };
  const cost = (x) => rounded(x, Math.ceil);
  const left = (x) => rounded(x, Math.floor);
  // All of it is said so: rounded one up and the other down, they would look like more than there is.
  const charged = (unit, spent, budget) => (spent >= budget * (1 - 1e-6)
    ? 'all of ' + unit + ' ' + left(budget) + ' charged' : unit + ' ' + cost(spent) + ' of ' + left(budget) + ' charged');
  const small = (x) => (x < 1e-3 ? x.toExponential() : String(x));
  const may = (needed) => ['read', 'submit', 'admin'].indexOf(role) >= ['read', 'submit', 'admin'].indexOf(needed);

  function trouble(message) {
    place('trouble').textContent = message || '';
    place('trouble').hidden = !message;
  }

  const accounts = mutuneAccounts({ API, place, make, ask, cost, left, small, trouble });

  // --- Signing in and out

  function showOutside(said) {
    role = null;
    clearTimeout(timer);
    place('inside').hidden = true;
    place('who').hidden = true;
    place('sign-in').hidden = false;
    place('sign-in-trouble').textContent = said || '';
    place('token').focus();
  }

  async function showInside(session) {
    role = session.role;
    place('who-name').textContent = 'Signed in as ' + session.name + ' (' + session.role + ')';
    place('who').hidden = false;
    place('sign-in').hidden = true;
    place('submit-section').hidden = !may('submit');
    place('inside').hidden = false;
    if (may('submit') && !place('sweep').value) {
      place('sweep').value = await (await fetch('/assets/quickstart.yaml')).text();
    }
    refresh();
  }

  place('sign-in').addEventListener('submit', async (event) => {
    event.preventDefault();
    const token = place('token').value.trim();
    place('token').value = '';
    try {
      await showInside(await ask('/session', { method: 'POST', headers: { Authorization: 'Bearer ' + token } }));
      place('studies-title').scrollIntoView({ block: 'nearest' });
    } catch (e) {
      showOutside(e.message);
    }
  });

  place('sign-out').addEventListener('click', async () => {
    await ask('/session', { method: 'DELETE' }).catch(() => null);
    showOutside('');
  });

  // --- Studies

  const ACTIONS = { planned: ['pause', 'cancel'], running: ['pause', 'cancel'], paused: ['resume', 'cancel'], failed: ['resume'] };
  const WORDS = { pause: 'Pause', resume: 'Resume', cancel: 'Cancel' };

  function progress(study) {
    if (!('runs' in study)) {
      return [];
    }
    const said = study.runsDone + ' of ' + study.runs + ' runs done';
    const spent = charged('ε', study.epsilonSpent, study.epsilon);
    return [make('p', {}, make('progress', { max: study.runs, value: study.runsDone, 'aria-label': said }), ' ', make('span', { class: 'id' }, said + ' · ' + spent))];
  }

  function buttons(study) {
    if (!may('submit')) {
      return [];
    }
    // What 'mutune run' runs by itself is stopped and gone on with there.
    const actions = (ACTIONS[study.state] || []).filter((action) => study.queued || action === 'cancel');
    return actions.map((action) => {
      const button = make('button', { type: 'button', class: 'plain', 'aria-label': WORDS[action] + ' ' + study.name + '-' + study.study, 'data-focus': study.study + action }, WORDS[action]);
      button.addEventListener('click', () => act(study, action));
      return button;
    });
  }

  async function act(study, action) {
    if (action === 'cancel' && !confirm('Cancel ' + study.name + ' for good? What was charged stays charged.')) {
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

  function item(study) {
    const links = [make('a', { href: API + '/studies/' + study.study + '/statement', target: '_blank', rel: 'noopener' }, 'Statement')];
    if (study.report) {
      links.unshift(make('a', { href: API + '/studies/' + study.study + '/report.html', target: '_blank', rel: 'noopener' }, 'Report'));
    }
    const when = new Date(study.created);
    const budget = make('button', { type: 'button', class: 'plain', 'aria-label': 'Budget over time of ' + study.name + '-' + study.study, 'data-focus': study.study + 'budget' }, 'Budget');
    budget.addEventListener('click', () => openBudget(study.study));
    const account = study.account ? [make('button', { type: 'button', class: 'plain', 'data-focus': study.study + 'account' }, 'Account ' + study.account)] : [];
    account.forEach((button) => button.addEventListener('click', () => accounts.open(study.account, study.study + 'account')));
    return make('li', { id: 'study-' + study.study },
      make('div', { class: 'study-head' },
        make('strong', {}, study.name), make('span', { class: 'id' }, study.study),
        make('span', { class: 'state state-' + study.state }, study.state),
        make('time', { class: 'id', datetime: study.created }, when.toLocaleString())),
      ...(study.reason ? [make('p', {}, study.reason)] : []),
      ...progress(study),
      make('div', { class: 'actions' }, ...links, budget, ...account, ...buttons(study)));
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

  let shown = '';
  function showStudies(list) {
    const text = JSON.stringify([list, role]);
    place('no-studies').hidden = list.studies.length > 0;
    if (text !== shown) {
      shown = text;
      // Whoever is on a button that is drawn anew stays on it.
      const focus = document.activeElement && document.activeElement.dataset && document.activeElement.dataset.focus;
      place('studies').replaceChildren(...list.studies.map(item));
      if (focus) {
        const again = place('studies').querySelector('[data-focus="' + CSS.escape(focus) + '"]');
        (again || place('studies-title')).focus();
      }
      place('more-studies').hidden = list.all <= list.studies.length;
      place('more-studies').textContent = 'The newest ' + list.studies.length + ' of ' + list.all + '.';
    }
    tell(list.studies);
  }

  async function refresh() {
    clearTimeout(timer);
    if (!role) {
      return;
    }
    try {
      showStudies(await ask(API + '/studies'));
      await showBudget();
      await accounts.show();
      if (place('trouble').dataset.lost) {
        delete place('trouble').dataset.lost;
        trouble('');
      }
    } catch (e) {
      if (e.status === 401) {
        showOutside('The session has ended. Show the token again.');
        return;
      }
      place('trouble').dataset.lost = 'yes';
      trouble(e.status ? e.message : 'The server does not answer. This page tries again by itself.');
    }
    timer = setTimeout(refresh, document.hidden ? 10 * EVERY : EVERY);
  }
  document.addEventListener('visibilitychange', () => { if (!document.hidden) { refresh(); } });

  // --- A budget over time

  let budgetOf = null;
  let drawnBudget = '';

  async function openBudget(id) {
    budgetOf = id;
    drawnBudget = '';
    try {
      await showBudget();
      place('budget-section').focus();
      place('budget-section').scrollIntoView({ block: 'nearest' });
    } catch (e) {
      trouble(e.message);
    }
  }

  async function showBudget() {
    if (!budgetOf) {
      return;
    }
    const budget = await ask(API + '/studies/' + budgetOf + '/budget');
    const text = JSON.stringify(budget);
    if (text === drawnBudget) {
      return;
    }
    drawnBudget = text;
    const unit = budget.unit === 'mu' ? 'μ' : 'ε';
    const points = [{ time: budget.begun, what: 'submitted', spent: 0 }, ...budget.points];
    const last = points[points.length - 1];
    place('budget-title').textContent = 'Budget of ' + budget.name + ' ' + budget.study + ' over time';
    place('budget-said').textContent = budget.points.length + ' charges: ' + charged(unit, last.spent, budget.budget) + '.';
    const head = make('thead', {}, make('tr', {}, ...['Charge', 'Time', unit + ' spent'].map((t) => make('th', { scope: 'col' }, t))));
    place('budget-table').replaceChildren(head, make('tbody', {}, ...points.map((p) => make('tr', {}, make('th', { scope: 'row' }, p.what), make('td', {}, new Date(p.time).toLocaleString()), make('td', {}, cost(p.spent))))));
    place('budget-section').hidden = false;
    mutuneChart.draw(place('budget-plot'), { unit, label: unit + ' spent', cap: budget.budget, points: points.map((p) => [p.time, p.spent]) });
  }

  place('budget-close').addEventListener('click', () => {
    place('budget-section').hidden = true;
    const button = budgetOf && place('studies').querySelector('[data-focus="' + CSS.escape(budgetOf + 'budget') + '"]');
    budgetOf = null;
    (button || place('studies-title')).focus();
  });

  // --- A new study

  function working(said) {
    place('working').textContent = said;
    place('plan').disabled = Boolean(said);
    place('send').disabled = Boolean(said) || plannedText !== place('sweep').value;
  }

  function mistakes(e) {
    const box = place('mistakes');
    const lines = e.problems.map((p) => make('li', {}, (p.line ? 'Line ' + p.line + ': ' : '') + p.text));
    box.replaceChildren(make('p', {}, make('strong', {}, e.message)), ...(lines.length ? [make('ul', { class: 'mistakes-list' }, ...lines)] : []));
    box.hidden = false;
    box.focus();
  }

  function showPlan(plan) {
    place('planned-void').hidden = plan.guarantee !== 'void';
    place('planned-void').textContent = 'The stated epsilon would not hold: ' + plan.why;
    place('planned-total').textContent = plan.name + ': at most ε ' + left(plan.budget.epsilon) + ' at δ ' + small(plan.budget.delta) + ' of everything together, '
      + plan.strategy + ' with ' + plan.method + ' on ' + plan.rows + ' rows (public count), ' + plan.budget.adjacency + ' neighbours. Nothing was read yet.';
    const inMu = plan.charges.some((c) => 'mu' in c);
    const head = make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, 'Charge'), ...(inMu ? [make('th', { scope: 'col' }, 'μ')] : []), make('th', { scope: 'col' }, 'ε alone')));
    const rows = plan.charges.map((c) => make('tr', {}, make('th', { scope: 'row' }, c.what), ...(inMu ? [make('td', {}, 'mu' in c ? cost(c.mu) : '')] : []), make('td', {}, cost(c.epsilon))));
    place('planned-charges').replaceChildren(head, make('tbody', {}, ...rows));
    place('planned').hidden = false;
    place('planned').focus();
  }

  place('sweep').addEventListener('input', () => {
    if (plannedText !== place('sweep').value) {
      plannedText = null;
      place('planned').hidden = true;
      place('send').disabled = true;
    }
  });

  place('plan').addEventListener('click', async () => {
    const text = place('sweep').value;
    place('mistakes').hidden = true;
    working('Planning …');
    try {
      const plan = await postSweep(API + '/plans', text);
      plannedText = text;
      showPlan(plan);
    } catch (e) {
      plannedText = null;
      place('planned').hidden = true;
      mistakes(e instanceof Refused ? e : new Refused(0, { detail: 'The server does not answer.' }));
    }
    working('');
  });

  place('submit').addEventListener('submit', async (event) => {
    event.preventDefault();
    if (plannedText !== place('sweep').value) {
      return;
    }
    place('mistakes').hidden = true;
    working('Submitting …');
    try {
      const study = await postSweep(API + '/studies', plannedText);
      plannedText = null;
      place('planned').hidden = true;
      place('news').textContent = study.name + ' ' + study.study + ' is submitted';
      place('studies-title').scrollIntoView({ block: 'start' });
      refresh();
    } catch (e) {
      mistakes(e instanceof Refused ? e : new Refused(0, { detail: 'The server does not answer.' }));
    }
    working('');
  });

  ask('/session').then((session) => (session.role ? showInside(session) : showOutside('')), (e) => trouble(e.message));
})();
