// A new study: the sweep, its mistakes in their lines, its plan, and then its submission.
'use strict';
const mutuneSubmit = () => {
  const { API, place, make, head, row, Refused, postSweep, cost, left, leaves, small } = mutunePage;
  const editor = mutuneEditor(place('sweep'), 'sweep-help');
  let plannedText = null;

  function working(said) {
    place('working').textContent = said;
    place('plan').disabled = Boolean(said);
    place('send').disabled = Boolean(said) || plannedText === null || plannedText !== place('sweep').value;
  }

  function mistake(problem) {
    if (!problem.line) {
      return make('li', {}, problem.text);
    }
    const button = make('button', { type: 'button', class: 'plain' }, 'Line ' + problem.line);
    button.addEventListener('click', () => editor.goTo(problem.line));
    return make('li', {}, button, ': ' + problem.text);
  }

  function mistakes(e) {
    const box = place('mistakes');
    const lines = e.problems.map(mistake);
    box.replaceChildren(make('p', {}, make('strong', {}, e.message)), ...(lines.length ? [make('ul', { class: 'mistakes-list' }, ...lines)] : []));
    editor.mark(e.problems);
    box.hidden = false;
    box.focus();
  }

  function showPlan(plan) {
    place('planned-void').hidden = plan.guarantee !== 'void';
    place('planned-void').textContent = 'The stated epsilon would not hold: ' + plan.why;
    place('planned-total').textContent = plan.name + ': at most ε ' + cost(plan.budget.epsilon) + ' at δ ' + small(plan.budget.delta) + ' of everything together, '
      + plan.strategy + ' with ' + plan.method + ' on ' + plan.rows + (plan.unit ? ' people' : ' rows') + ' (public count), ' + plan.budget.adjacency + ' neighbours. Nothing was read yet.';
    const inMu = plan.charges.some((c) => 'mu' in c);
    const rows = plan.charges.map((c) => row(c.what, ...(inMu ? ['mu' in c ? cost(c.mu) : ''] : []), cost(c.epsilon)));
    place('planned-charges').replaceChildren(head('Charge', ...(inMu ? ['μ'] : []), 'ε alone'), make('tbody', {}, ...rows));
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
      editor.mark([]);
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
      location.hash = '#/studies/' + study.study;
    } catch (e) {
      // A study that is refused is kept as that: the same again would be one more.
      if (e.status === 409) {
        plannedText = null;
        place('planned').hidden = true;
      }
      mistakes(e instanceof Refused ? e : new Refused(0, { detail: 'The server does not answer.' }));
    }
    working('');
  });

  let offered = '';
  // The sets that a sweep may name, and, in an editor that is empty, a plain sweep: of the newest set that has something left.
  function offer({ dataSets, accounts }) {
    const usable = dataSets.filter((one) => one.state === 'registered');
    const accountOf = (set) => accounts.find((one) => one.account === set.account);
    const names = JSON.stringify(usable.map((one) => one.name));
    if (names === offered) {
      return;
    }
    offered = names;
    editor.names.set('data', usable.map((one) => one.name));
    place('no-sets').hidden = usable.length > 0;
    const set = usable.filter((one) => !accountOf(one) || leaves(accountOf(one))).sort((a, b) => new Date(a.registered) - new Date(b.registered)).pop();
    if (!set || place('sweep').value) {
      return;
    }
    const account = accountOf(set);
    // What is left at the very δ that is proposed: the same ε at a larger one costs more.
    const fits = account && 'epsilon' in account.left ? Math.min(1, Number(left(account.left.epsilon))) : 1;
    place('sweep').value = [
      'version: 1', 'name: ' + set.name, 'data: ' + set.name, '',
      'budget: {epsilon: ' + fits + ', delta: ' + (account ? account.delta : 1e-6).toExponential() + '}   # of everything together',
      'search:', '  strategy: scale-free', '  space: {steps: auto}',
      // The figure of private test rows is charged as scores are, and so some are.
      ...(set.parts.test === 'private' ? ['  sweeps: [{epsilon: ' + fits / 10 + ', trials: 2}]', '  score: {on: private, epsilon: ' + fits / 20 + '}'] : []),
      'train: {method: noisy-gd}', '',
    ].join('\n');
    place('sweep').dispatchEvent(new Event('input'));
  }

  mutuneSubmit.editor = editor;
  return { offer };
};
