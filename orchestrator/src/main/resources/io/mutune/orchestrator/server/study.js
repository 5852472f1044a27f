// One study, as it goes on: its figures, its runs as they end, where its budget went. Two or more side by side.
'use strict';
const mutuneStudy = (() => {
  const { API, place, make, head, row, answer, ask, cost, left, charged, small, percent, exact, plain, many, time, remaining, tested, again } = mutunePage;
  let drawn = '';
  let whole = ''; // what was drawn with nothing of it failed
  let sweepOf = '';
  let looks = 0;

  const doubt = (status) => (status.guarantee === 'void' ? ' (does not hold)' : '');
  const figure = (name, value, more) => make('div', {}, make('dt', {}, name), make('dd', {}, value, ...(more ? [make('span', { class: 'id' }, more)] : [])));

  // What has been released of it once it has ended: nothing where its folder is no longer there.
  const ofEnded = (id, what) => ask(API + '/studies/' + encodeURIComponent(id) + '/' + what).catch((e) => {
    if (e.status === 404 || e.status === 409) {
      return {};
    }
    throw e;
  });

  const figuresOf = (released) => ({
    ...('testAccuracy' in released ? { accuracy: released.testAccuracy } : {}),
    ...('testError' in released ? { error: released.testError } : {}),
    ...(released.privateTest || released.privateFigures ? { noisy: true } : {}),
  });

  // Known before the final run is, if all its runs have as many steps as the plan says.
  function steps(status) {
    const known = status.runs.every((run) => 'steps' in run);
    return [
      status.runs.reduce((sum, run) => sum + Math.min(run.stepsBegun, run.steps || run.stepsBegun), 0),
      known ? status.runs.reduce((sum, run) => sum + run.steps, 0) : 0,
    ];
  }

  // What is to be beaten, and how sure the figure is.
  function against({ test, privateTest, privateFigures }) {
    const figures = test || privateTest || privateFigures || {};
    const say = figures.accuracy ? percent : plain;
    const { low, high } = figures.accuracy || figures.meanAbsoluteError || {};
    return (figures.baseline ? ' against ' + say(figures.baseline.value) + ' of always saying ' + figures.baseline.says + (low === undefined ? '' : ';') : '')
      + (low === undefined ? '' : ' 95% interval ' + say(low) + ' to ' + say(high));
  }

  function showFigures(status, released) {
    const done = status.runs.filter((run) => ['trained', 'scored', 'unscored'].includes(run.state)).length;
    const test = tested(figuresOf(released));
    const all = status.spent.epsilon >= status.budget.epsilon * (1 - 1e-6);
    const ended = all || ['finished', 'refused'].includes(status.state);
    place('study-figures').replaceChildren(
      ...(test ? [figure('Test', test, against(released))] : []),
      // What has been charged so far is no guarantee: whether a study goes on may follow from what it released.
      figure('Privacy', (ended ? 'ε ' + cost(status.spent.epsilon) : 'at most ε ' + cost(status.budget.epsilon)) + doubt(status),
        (all ? 'all of it' : ended ? 'of ' + cost(status.budget.epsilon) : 'charged so far ' + cost(status.spent.epsilon)) + ' at δ ' + small(status.delta)
        + ('mu' in status.spent ? ', μ ' + cost(status.spent.mu) + (all ? '' : ' of ' + cost(status.budget.mu)) : '')),
      figure('Runs', done + ' of ' + status.runs.length, ' ' + status.strategy + ' with ' + status.method),
      ...(released.seconds > 0 ? [figure('Time', time(released.seconds))] : []));
  }

  function showRuns(status, released) {
    const last = (released && released.final) || {};
    const rows = status.runs.map((run) => {
      const rate = run.run === 'final' && 'learningRate' in last ? last.learningRate : run.learningRate;
      return row(run.run, run.state, rate === undefined ? '' : plain(rate), status.secretRuns ? '' : exact(run.stepsBegun) + ('steps' in run ? ' of ' + exact(run.steps) : ''), 'score' in run ? percent(run.score) : '');
    });
    place('study-runs').replaceChildren(head('Run', 'State', 'Learning rate', 'Steps', 'Score'), make('tbody', {}, ...rows));
    place('study-steps').hidden = status.state !== 'running' || Boolean(status.secretRuns);
    const [begun, all] = steps(status);
    place('study-steps').max = all || status.runs.length;
    place('study-steps').value = all ? begun : status.runs.filter((run) => 'score' in run).length;
    const scores = status.runs.map((run) => [run.run, run.score]).filter(([, score]) => score !== undefined);
    // Once it has ended, its charts show them with what noise does to them.
    place('study-scores').hidden = scores.length === 0 || status.state === 'finished';
    if (!place('study-scores').hidden) {
      mutuneChart.draw(place('study-scores-plot'), { scores });
    }
  }

  // What its report draws, each under its heading; each chart has its numbers as a table.
  function showCharts(charts) {
    ['test', 'search', 'cost'].forEach((part) => {
      const within = place('study-' + part);
      mutuneCharts.forget(within);
      const list = charts[part] || [];
      const shown = [];
      const said = part === 'search' && charts.noTrials ? [make('p', {}, charts.noTrials)] : [];
      within.replaceChildren(...said, ...list.map((chart) => {
        const plot = make('div', { class: 'plot', role: 'img', 'aria-label': chart.title + '. ' + chart.summary });
        shown.push([plot, chart]);
        const numbers = make('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': chart.title + ': numbers' },
          make('table', {}, head(...chart.table.head), make('tbody', {}, ...chart.table.rows.map((line) => row(line.name, ...line.cells)))));
        return make('figure', {}, make('figcaption', {}, make('h4', {}, chart.title), make('p', {}, chart.summary)), plot,
          make('details', {}, make('summary', {}, 'Its numbers as a table'), numbers));
      }));
      within.hidden = list.length + said.length === 0;
      place('study-test-title').hidden = place('study-test').hidden;
      shown.forEach(([plot, chart]) => mutuneCharts.show(plot, chart));
    });
  }

  function showBudget(budget, goesOn) {
    const unit = budget.unit === 'mu' ? 'μ' : 'ε';
    const points = [{ time: budget.begun, what: 'submitted', spent: 0 }, ...budget.points];
    const last = points[points.length - 1];
    const none = budget.points.length === 0;
    place('budget-said').textContent = none ? 'Nothing is charged yet.' : many(budget.points.length, 'charge') + ': ' + charged(unit, last.spent, budget.budget) + '.';
    place('budget-drawn').hidden = none;
    if (none) {
      return;
    }
    const rows = points.map((p) => row(p.what, new Date(p.time).toLocaleString(), cost(p.spent)));
    place('budget-table').replaceChildren(head('Charge', 'Time', unit + ' spent'), make('tbody', {}, ...rows));
    mutuneChart.draw(place('budget-plot'), { unit, label: unit + ' spent', cap: budget.budget, points: [...points.map((p) => [p.time, p.spent]), ...(goesOn ? [[new Date().toISOString(), last.spent]] : [])] });
  }

  // Of a study that was not submitted only administrators see the sweep.
  const sweepText = (base) => answer(base + '/sweep').then((a) => a.text(), (e) => {
    if (e.status === 403) {
      return e.message;
    }
    throw e;
  });

  // Another study, or another look, may be asked for while an answer is waited for: then nothing is drawn.
  async function show(id, buttons) {
    looks += 1;
    const mine = looks;
    const base = API + '/studies/' + encodeURIComponent(id);
    const { secondsLeft, ...status } = await ask(base);
    const ended = status.state === 'finished';
    const [budget, released] = await Promise.all([ask(base + '/budget'), ended ? ofEnded(id, 'result') : {}]);
    if (mine !== looks) {
      return;
    }
    place('study-left').textContent = secondsLeft === undefined ? '' : remaining({ secondsLeft });
    const text = JSON.stringify([status, budget, released]);
    if (text === whole) {
      return;
    }
    // What fails may come at the next look, and the rest is shown until then.
    let failed = '';
    const lost = (e) => { failed = e.message; return null; };
    const [sweep, charts] = await Promise.all([
      sweepOf === id ? place('study-sweep').textContent : sweepText(base).catch(lost),
      ended ? ofEnded(id, 'charts').catch(lost) : {},
    ]);
    if (mine !== looks) {
      return;
    }
    whole = failed ? '' : text;
    sweepOf = sweep === null ? '' : id;
    const all = JSON.stringify([text, sweep, charts, failed]);
    if (all === drawn) {
      return;
    }
    drawn = all;
    place('study-sweep').textContent = sweep || '';
    place('study-title').textContent = status.name + ' ' + status.study;
    place('study-state').className = 'state state-' + status.state;
    place('study-state').textContent = status.state;
    place('study-void').hidden = status.guarantee !== 'void';
    place('study-void').textContent = 'The stated epsilon does not hold: ' + status.why;
    place('study-reason').textContent = status.reason || (failed && 'Not all of it can be shown now: ' + failed);
    place('study-next').replaceChildren(...(status.next ? [...again(status), ' ', ...buttons(status)] : []));
    place('study-report').hidden = !released.study;
    place('study-report').href = base + '/report.html';
    place('study-statement').href = base + '/statement';
    showFigures(status, released);
    showRuns(status, released);
    showBudget(budget, status.state === 'running');
    // Drawn where it is seen: a chart is as wide as its place then.
    showCharts(charts || {});
  }

  const best = (scores) => (scores.length ? percent(Math.max(...scores)) : '');

  const ROWS = [
    ['State', (s) => s.state], ['Test', (s, r) => tested(figuresOf(r))], ['ε spent', (s) => cost(s.spent.epsilon) + doubt(s)],
    ['ε of the budget', (s) => left(s.budget.epsilon)], ['δ', (s) => small(s.delta)],
    ['μ spent', (s) => ('mu' in s.spent ? cost(s.spent.mu) : '')],
    ['Guarantee', (s) => (s.guarantee === 'void' ? 'does not hold' : 'holds')],
    ['Strategy', (s) => s.strategy], ['Method', (s) => s.method], ['Account', (s) => s.account || ''],
    ['Runs', (s) => String(s.runs.length)], ['Best score', (s) => best(s.runs.filter((run) => 'score' in run).map((run) => run.score))],
    ['Learning rate of the final run', (s, r) => (r.final ? plain(r.final.learningRate) : '')],
    ['Steps of the final run', (s, r) => (r.final ? String(r.final.steps) : '')],
    ['Time', (s, r) => (r.seconds > 0 ? time(r.seconds) : '')], ['Begun', (s) => new Date(s.created).toLocaleString()],
  ];

  async function compare(ids) {
    const all = await Promise.all(ids.map(async (id) => {
      const status = await ask(API + '/studies/' + encodeURIComponent(id)).catch((e) => {
        if (e.status === 404) {
          return null;
        }
        throw e;
      });
      return status === null ? [{ study: id }, null] : [status, status.state === 'finished' ? await ofEnded(id, 'result') : {}];
    }));
    const seen = JSON.stringify(all);
    if (seen === drawn) { return; }
    drawn = seen;
    const names = all.map(([s, r]) => make('th', { scope: 'col' }, ...(r === null ? [s.study + ': no such study'] : [make('a', { href: '#/studies/' + s.study }, s.name + ' ' + s.study)])));
    const rows = ROWS.map(([name, value]) => [name, all.map(([s, r]) => (r === null ? '' : value(s, r)))]).filter(([, values]) => values.some((value) => value));
    // What is the same everywhere is said quietly.
    const body = rows.map(([name, values]) => {
      const line = row(name, ...values);
      line.className = values.every((value) => value === values[0]) ? 'same' : '';
      return line;
    });
    place('compare-table').replaceChildren(make('thead', {}, make('tr', {}, make('th', { scope: 'col' }, 'Study'), ...names)), make('tbody', {}, ...body));
  }

  const forget = () => {
    drawn = '';
    whole = '';
    looks += 1;
  };
  return { show, compare, forget };
})();
