// The field for a sweep as an editor (CodeMirror): what the schema lets stand at the cursor, and mistakes below their lines.
'use strict';
const mutuneEditor = (field, help) => {
  const names = new Map(); // of what is registered, by the path where it is named
  let schema = null;
  let told = [];

  const editor = CodeMirror.fromTextArea(field, {
    mode: 'yaml', lineNumbers: true, indentUnit: 2, tabSize: 2, lineWrapping: true, viewportMargin: Infinity,
    extraKeys: { Tab: false, 'Shift-Tab': false, 'Ctrl-Space': () => complete() },
    hintOptions: { hint: hints, completeSingle: false },
  });
  const input = editor.getInputField();
  for (const [name, value] of Object.entries({ id: field.id + '-editor', 'aria-label': field.labels[0].textContent, 'aria-describedby': help })) {
    input.setAttribute(name, value);
  }
  field.labels[0].addEventListener('click', () => editor.focus());

  // Where a text ends: the keys that lead there ('' for an item of a list), whether a key or a value is next, and what of it
  // is typed; null within a comment or quotes.
  function where(text) {
    const blocks = []; // what is open by its indent
    const flows = []; // what is open by brackets, each with the key that it is at
    let typed = null;
    let ownKey = null;
    text.split('\n').forEach((whole, number, all) => {
      let rest = whole;
      typed = '';
      if (!flows.length) {
        ownKey = null;
        let indent = rest.search(/\S|$/);
        rest = rest.slice(indent);
        if (!rest && number < all.length - 1) {
          return;
        }
        if (rest.startsWith('#')) {
          typed = null;
          return;
        }
        for (let dash; (dash = /^-(\s+|$)/.exec(rest)); indent += dash[0].length, rest = rest.slice(dash[0].length)) {
          while (blocks.length && (blocks.at(-1).indent > indent || (blocks.at(-1).indent === indent && blocks.at(-1).key === ''))) {
            blocks.pop();
          }
          blocks.push({ indent, key: '' });
        }
        while (blocks.length && blocks.at(-1).indent >= indent) {
          blocks.pop();
        }
        const found = /^([^\s#'"{}[\],:][^#{}[\],:]*|"[^"]*"|'[^']*')\s*:(?=\s|$)/.exec(rest);
        if (found) {
          ownKey = found[1].trim().replace(/["']/g, '');
          blocks.push({ indent, key: ownKey });
          rest = rest.slice(found[0].length);
        }
      }
      let quote = '';
      let word = '';
      for (let at = 0; at < rest.length; at++) {
        const c = rest[at];
        const flow = flows.at(-1);
        if (quote) {
          quote = c === quote ? '' : quote;
        } else if ((c === '"' || c === "'") && !word.trim()) {
          quote = c;
        } else if (c === '#' && /\s/.test(rest[at - 1] || ' ')) {
          typed = null;
          return;
        } else if (c === '{' || c === '[') {
          flows.push({ list: c === '[', key: c === '[' ? '' : null });
          word = '';
        } else if (flow && (c === '}' || c === ']')) {
          flows.pop();
          word = '';
        } else if (flow && c === ',') {
          flow.key = flow.list ? '' : null;
          word = '';
        } else if (flow && c === ':' && !flow.list && flow.key === null) {
          flow.key = word.trim();
          word = '';
        } else {
          word += c;
        }
      }
      typed = quote ? null : word.trimStart();
    });
    const flow = flows.at(-1);
    return { path: [...blocks, ...flows].map((open) => open.key).filter((key) => key !== null), typed, wantsKey: flow ? flow.key === null : ownKey === null };
  }

  // What a schema may be, its references followed.
  function choices(node) {
    const here = node.$ref ? { ...schema.$defs[node.$ref.split('/').pop()], ...node, $ref: undefined } : node;
    return [here, ...[...(here.oneOf || []), ...(here.anyOf || [])].flatMap(choices)];
  }

  function along(path) {
    let nodes = choices(schema);
    for (const key of path) {
      nodes = nodes
        .map((node) => (key === '' ? node.items : (node.properties && node.properties[key]) || (node.additionalProperties instanceof Object ? node.additionalProperties : null)))
        .filter(Boolean)
        .flatMap(choices);
    }
    return nodes;
  }

  // What may follow a text, by word, each with what the schema says of it.
  function fitting(text) {
    const { path, typed, wantsKey } = where(text);
    const nodes = typed === null ? [] : along(path);
    const words = new Map();
    const add = (word, about) => {
      if (String(word).startsWith(typed) && !words.get(String(word))) {
        words.set(String(word), about || '');
      }
    };
    if (wantsKey) {
      nodes.forEach((node) => Object.entries(node.properties || {}).forEach(([key, of]) => add(key, choices(of).map((one) => one.description).find(Boolean))));
    } else {
      (typed === null ? [] : names.get(path.join('.')) || []).forEach((name) => add(name, 'registered'));
      nodes.forEach((node) => [...(node.enum || []), ...('const' in node ? [node.const] : [])].forEach((word) => add(word, node.description)));
    }
    return { words, typed, wantsKey };
  }

  function hints() {
    const cursor = editor.getCursor();
    const { words, typed, wantsKey } = fitting(editor.getRange({ line: 0, ch: 0 }, cursor));
    const colon = wantsKey && !/^\s*:/.test(editor.getLine(cursor.line).slice(cursor.ch)) ? ': ' : '';
    const list = [...words].map(([word, about]) => ({
      text: word + colon,
      render: (element) => {
        const small = document.createElement('span');
        small.textContent = about.length > 90 ? about.slice(0, 89) + '…' : about;
        element.append(word, ' ', small);
      },
    }));
    if (!list.length || (list.length === 1 && list[0].text === typed)) {
      return null;
    }
    const found = { list, from: { line: cursor.line, ch: cursor.ch - typed.length }, to: cursor };
    CodeMirror.on(found, 'shown', () => document.querySelector('.CodeMirror-hints').setAttribute('aria-label', 'What may stand here'));
    return found;
  }

  async function known() {
    schema = schema || await fetch('/assets/sweep.schema.json').then((answer) => answer.json());
  }

  async function complete() {
    await known();
    editor.showHint();
  }

  function forget(line) {
    told = told.filter((one) => {
      const at = editor.getLineNumber(one.handle);
      if (line !== undefined && at !== line && at !== null) {
        return true;
      }
      one.widget.clear();
      editor.removeLineClass(one.handle, 'gutter', 'wrong');
      return false;
    });
    input.setAttribute('aria-invalid', String(told.length > 0));
  }

  // Says each mistake below its line, until that line is changed.
  function mark(problems) {
    forget();
    told = problems.filter((problem) => problem.line && problem.line <= editor.lineCount()).map((problem) => {
      const text = document.createElement('div');
      text.className = 'mistake';
      text.textContent = problem.text;
      const handle = editor.addLineClass(problem.line - 1, 'gutter', 'wrong');
      return { handle, widget: editor.addLineWidget(handle, text) };
    });
    input.setAttribute('aria-invalid', String(told.length > 0));
  }

  // Puts the cursor on a line, selected, and brings it into sight.
  function goTo(line) {
    editor.focus();
    editor.setSelection({ line: line - 1, ch: 0 }, { line: line - 1, ch: (editor.getLine(line - 1) || '').length });
    editor.scrollIntoView({ line: line - 1, ch: 0 }, 60);
    editor.getWrapperElement().scrollIntoView({ block: 'nearest' });
  }

  editor.on('change', (_, change) => {
    for (let line = change.from.line; line <= change.from.line + change.text.length - 1 && told.length; line++) {
      forget(line);
    }
    editor.save();
    field.dispatchEvent(new Event('input'));
    if (change.origin === '+input' && /^[A-Za-z]$/.test(change.text.join('')) && !editor.state.completionActive) {
      complete();
    }
  });
  field.addEventListener('input', () => {
    if (editor.getValue() !== field.value) {
      editor.setValue(field.value);
    }
  });
  let width = 0;
  new ResizeObserver(([wrapper]) => {
    if (wrapper.contentRect.width !== width) {
      width = wrapper.contentRect.width;
      editor.refresh(); // it was measured while it was hidden, or in another width
    }
  }).observe(editor.getWrapperElement());

  return { mark, goTo, names, words: async (text) => { await known(); return [...fitting(text).words.keys()]; } };
};
