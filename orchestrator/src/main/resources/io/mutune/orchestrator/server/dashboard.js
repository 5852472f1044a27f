// The dashboard: asks this server's API alone, and puts what it says into the page as text, never as markup.
'use strict';
(() => {
  const { place, ask, trouble } = mutunePage;
  const EVERY = 1500;
  const ROLES = ['read', 'submit', 'own', 'admin'];
  const VIEWS = ['study-section', 'compare-section', 'account-section'];
  let role = null;
  let timer = 0;
  let view = '';

  const may = (needed) => ROLES.indexOf(role) >= ROLES.indexOf(needed);
  const studies = mutuneStudies(may, refresh);
  const submission = mutuneSubmit();

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
    const said = 'Signed in as ' + session.name + ' (' + session.role + ')';
    // What somebody else has seen and written here goes with the page.
    if (!['', said].includes(place('who-name').textContent)) {
      location.reload();
      return;
    }
    role = session.role;
    place('who-name').textContent = said;
    place('who').hidden = false;
    place('sign-in').hidden = true;
    place('submit-section').hidden = !may('submit');
    place('inside').hidden = false;
    refresh();
  }

  place('sign-in').addEventListener('submit', async (event) => {
    event.preventDefault();
    const token = place('token').value.trim();
    place('token').value = '';
    // No header can carry other characters, and no token has them.
    if (!/^[!-~]*$/.test(token)) {
      showOutside('this token is not known here, or was revoked');
      return;
    }
    try {
      await showInside(await ask('/session', { method: 'POST', headers: { Authorization: 'Bearer ' + token } }));
      if (!place('overview').hidden) {
        place('studies-title').focus();
      }
    } catch (e) {
      showOutside(e.message);
    }
  });

  place('sign-out').addEventListener('click', async () => {
    try {
      await ask('/session', { method: 'DELETE' });
      location.reload();
    } catch (e) {
      trouble('Not signed out: ' + (e.status ? e.message : 'the server does not answer.'));
    }
  });

  // --- Which part is looked at: everything, or one study, some beside each other, one account

  // Such as #/studies/0a1b2c3d
  function where() {
    const [, part, name] = location.hash.match(/^#[/](studies|compare|accounts|data-sets)[/](.+)$/) || [];
    try {
      return part ? { part, name: decodeURIComponent(name) } : { part: '', name: '' };
    } catch (e) {
      return { part: '', name: '' }; // no name is written so
    }
  }

  function turn() {
    const { part, name } = where();
    const now = part + '/' + name;
    if (view === now) {
      return;
    }
    const first = view === '';
    view = now;
    place('overview').hidden = part !== '';
    place('back').hidden = part === '';
    VIEWS.forEach((id) => { place(id).hidden = true; });
    document.title = part ? name + ' - Mutune' : 'Mutune';
    trouble('');
    mutuneStudy.forget();
    mutuneAccounts.forget();
    if (!first && part === '') {
      place('studies-title').focus();
    }
  }

  // What draws needs its place to have a size.
  async function fill(section, work) {
    const first = section.hidden;
    section.hidden = false;
    try {
      await work();
    } catch (e) {
      section.hidden = first;
      throw e;
    }
    if (first) {
      section.focus();
      scrollTo(0, 0);
    }
  }

  async function showView() {
    const { part, name } = where();
    if (part === 'studies') {
      await fill(place('study-section'), () => mutuneStudy.show(name, studies.buttons));
    } else if (part === 'compare') {
      await fill(place('compare-section'), () => mutuneStudy.compare(name.split(',')));
    } else if (part === 'accounts' || part === 'data-sets') {
      await fill(place('account-section'), () => mutuneAccounts.showOne(part, name));
    } else {
      await studies.show();
      const there = await mutuneAccounts.show();
      if (may('submit')) {
        submission.offer(there);
      }
    }
  }

  async function refresh() {
    clearTimeout(timer);
    if (!role) {
      return;
    }
    turn();
    const looked = view;
    try {
      await showView();
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
    clearTimeout(timer);
    timer = setTimeout(refresh, looked !== view ? 0 : document.hidden ? 10 * EVERY : EVERY);
  }
  document.addEventListener('visibilitychange', () => { if (!document.hidden) { refresh(); } });
  addEventListener('hashchange', refresh);

  ask('/session').then((session) => (session.role ? showInside(session) : showOutside('')), (e) => trouble(e.message));
})();
