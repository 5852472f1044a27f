// What all parts of the dashboard use: elements, requests, numbers as people read them.
'use strict';
const mutunePage = (() => {
  const API = '/api/v1';
  const place = (id) => document.getElementById(id);

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }

  const head = (...words) => make('thead', {}, make('tr', {}, ...words.map((word) => make('th', { scope: 'col' }, word))));
  const row = (first, ...rest) => make('tr', {}, make('th', { scope: 'row' }, first), ...rest.map((cell) => make('td', {}, cell)));

  class Refused extends Error {
    constructor(status, problem) {
      super(problem.detail || 'the server answered ' + status);
      this.status = status;
      this.problems = problem.problems || [];
    }
  }

  async function answer(path, options = {}) {
    const response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...options });
    if (!response.ok) {
      const problem = await response.json().catch(() => ({}));
      throw new Refused(response.status, problem);
    }
    return response;
  }

  async function ask(path, options = {}) {
    const response = await answer(path, options);
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
    // A figure of four digits stays, though times the scale it may come out a little beside a whole number.
    const near = Number((Math.round(x * scale) / scale).toPrecision(4));
    return String(near === x ? near : Number((round(x * scale) / scale).toPrecision(4)));
  };
  const cost = (x) => rounded(x, Math.ceil);
  const left = (x) => rounded(x, Math.floor);
  // Both are costs, and so both are rounded up.
  const charged = (unit, spent, budget) => (spent >= budget * (1 - 1e-6)
    ? 'all of ' + unit + ' ' + cost(budget) + ' charged' : unit + ' ' + cost(spent) + ' of ' + cost(budget) + ' charged');
  // No sweep may ask for less; an account in which no δ has an ε is looked at in μ.
  const leaves = (account) => ('epsilon' in account.left ? account.left.epsilon >= 1e-6 : account.left.mu > 0);
  const small = (x) => (x < 1e-3 ? x.toExponential() : String(x));
  const percent = (x) => (100 * x).toFixed(2) + '%';
  // With all its digits, in groups of three where there are many: 0.035, 500,001.
  const exact = (x) => (Math.abs(x) >= 1e4 && Math.abs(x) < 1e9 ? x.toLocaleString('en-US') : x !== 0 && Math.abs(x) < 1e-4 ? x.toExponential() : String(x));
  const plain = (x) => exact(Number(x.toPrecision(4)));
  const many = (n, one, more = one + 's') => n + ' ' + (n === 1 ? one : more);

  function time(seconds) {
    const whole = Math.round(seconds);
    const two = (n) => String(n).padStart(2, '0');
    return seconds < 60 ? (seconds < 10 ? seconds.toFixed(1) : whole) + ' s'
      : whole < 3600 ? Math.floor(whole / 60) + ':' + two(whole % 60) + ' min'
        : Math.floor(whole / 3600) + ':' + two(Math.floor(whole / 60) % 60) + ' h';
  }

  const remaining = (study) => ('secondsLeft' in study ? 'about ' + time(study.secondsLeft) + ' of steps left' : '');

  // How well a study did on its test rows, if it tells.
  const tested = (study) => {
    const figure = 'accuracy' in study ? 'accuracy ' + percent(study.accuracy) : 'error' in study ? 'mean error ' + plain(study.error) : '';
    return figure + (figure && study.noisy ? ', noisy' : '');
  };

  const again = (study) => ['runs again at ', make('time', { datetime: study.next }, new Date(study.next).toLocaleString())];

  function trouble(message) {
    place('trouble').textContent = message || '';
    place('trouble').hidden = !message;
  }

  return { API, place, make, head, row, Refused, answer, ask, post, postSweep, cost, left, leaves, charged, small, percent, exact, plain, many, time, remaining, tested, again, trouble };
})();
