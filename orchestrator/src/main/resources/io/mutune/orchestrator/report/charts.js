// Draws charts from their JSON, with the charting library that stands before this script: those of a page whose JSON
// stands in it at once, others where they are asked for.
const mutuneCharts = (() => {
  'use strict';
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const STAR = 'path://M0,-10L2.9,-3.1L10,-3.1L4.4,1.6L6.2,8.5L0,4.4L-6.2,8.5L-4.4,1.6L-10,-3.1L-2.9,-3.1Z';
  const CROSS = 'path://M-8,-10L0,-2L8,-10L10,-8L2,0L10,8L8,10L0,2L-8,10L-10,8L-2,0L-10,-8Z';
  const SYMBOLS = { CIRCLE: 'circle', SQUARE: 'path://M0,0h10v10h-10z', TRIANGLE: 'triangle', DIAMOND: 'diamond', STAR, CROSS, RING: 'circle' };
  const DASHES = { SOLID: 'solid', DASHED: [8, 5], DOTTED: [2, 4] };
  const LEGEND_LINE = 20;

  const colours = (print) =>
    dark.matches && !print
      ? { ink: '#e8e8e8', soft: '#b0b0b0', rule: '#3a3d43', fill: '#7db4ff', second: '#ffab70', third: '#6fd3ac', paper: '#16181c' }
      : { ink: '#1a1a1a', soft: '#555', rule: '#ddd', fill: '#0b5cad', second: '#b84300', third: '#1b7f5c', paper: '#fff' };
  // Shapes and dashes tell series apart without colours; these help those who see them.
  const colourOf = (mark, c) => ({
    CIRCLE: c.fill, SQUARE: c.third, TRIANGLE: c.second, DIAMOND: c.fill, STAR: c.second, CROSS: c.ink, RING: c.ink,
    SOLID: c.fill, DASHED: c.second, DOTTED: c.soft,
  })[mark];

  const short = (value) => {
    const rounded = Number(value.toPrecision(3));
    return Math.abs(rounded) >= 1e5 || (rounded !== 0 && Math.abs(rounded) < 1e-3)
      ? rounded.toExponential().replace('e+', 'e') : String(rounded);
  };
  // As many digits as tell neighbouring ticks apart.
  const tick = (axis) => {
    const unit = axis.percent ? 100 : 1;
    const digits = Math.min(12, Math.max(0, Math.ceil(-Math.log10((unit * (axis.max - axis.min)) / 20))));
    return (value) => {
      if (axis.scale === 'WHOLE' && (!Number.isInteger(value) || value === axis.min || value === axis.max)) {
        return '';
      }
      // The end of an axis that is no tick stands too near to the last one.
      const last = axis.min + Math.floor((axis.max - axis.min) / axis.step + 1e-9) * axis.step;
      if (axis.scale === 'LINEAR' && value === axis.max && value - last > 1e-9 * axis.step && value - last < axis.step / 2) {
        return '';
      }
      return (axis.scale === 'LOG' ? short(unit * value) : String(Number((unit * value).toFixed(digits))))
        + (axis.percent ? '%' : '');
    };
  };
  // Costs come to four digits, of which the last is rounded up.
  const exact = (axis) => (value) => (axis.percent ? String(Number((100 * value).toFixed(2))) + '%'
    : axis.cost ? String(value) : short(value));

  const ticks = (axis) => (axis.scale === 'LINEAR' ? { interval: axis.step } : axis.scale === 'WHOLE' ? { minInterval: 1 } : {});

  function axisOption(axis, c, vertical) {
    return {
      type: axis.scale === 'LOG' ? 'log' : 'value',
      min: axis.min, max: axis.max,
      ...ticks(axis),
      name: axis.name, nameLocation: vertical ? 'end' : 'middle', nameGap: vertical ? 12 : 28,
      nameTextStyle: { color: c.ink, fontSize: 13, align: vertical ? 'left' : 'center' },
      axisLabel: { color: c.ink, fontSize: 12, hideOverlap: true, margin: vertical ? 8 : 12, formatter: tick(axis) },
      axisLine: { show: true, onZero: false, lineStyle: { color: c.soft } },
      axisTick: { show: true },
      splitLine: { lineStyle: { color: c.rule } },
    };
  }

  const DASH_ICONS = {
    SOLID: 'path://M0,0h30v2.5h-30z', DASHED: 'path://M0,0h8v2.5h-8zM11,0h8v2.5h-8zM22,0h8v2.5h-8z',
    DOTTED: 'path://M0,0h2.5v2.5h-2.5zM7,0h2.5v2.5h-2.5zM14,0h2.5v2.5h-2.5zM21,0h2.5v2.5h-2.5zM27.5,0h2.5v2.5h-2.5z',
  };

  // A line for each entry, so that none is ever cut beside another.
  function legend(entries, c) {
    return {
      orient: 'vertical', left: 0, top: 0, itemGap: 2, itemWidth: 30, itemHeight: 12, selectedMode: false,
      textStyle: { color: c.ink, fontSize: 12, lineHeight: 18 },
      data: entries.map(([name, mark]) => ({ name, icon: DASH_ICONS[mark] || SYMBOLS[mark] || 'rect' })),
    };
  }

  function common(c) {
    return {
      backgroundColor: 'transparent', animation: false,
      textStyle: { fontFamily: 'sans-serif', color: c.ink },
      tooltip: { confine: true, renderMode: 'richText', backgroundColor: c.paper, borderColor: c.soft, textStyle: { color: c.ink } },
    };
  }

  function series(one, x, y, c) {
    const line = one.mark in DASHES;
    const ring = one.mark === 'RING';
    const star = one.mark === 'STAR';
    const say = (p) => one.name + (p.data.label2 ? ' ' + p.data.label2 : '') + '\n'
      + x.name + ': ' + exact(x)(p.data.value[0]) + '\n' + y.name + ': ' + exact(y)(p.data.value[1]);
    if (line) {
      return {
        type: 'line', name: one.name, symbol: 'none', silent: true, data: one.dots.map((d) => [d.x, d.y]),
        lineStyle: { color: colourOf(one.mark, c), width: 2, type: DASHES[one.mark] }, itemStyle: { color: colourOf(one.mark, c) },
      };
    }
    return {
      type: 'scatter', name: one.name, symbol: SYMBOLS[one.mark], symbolSize: ring ? 20 : star ? 20 : 11, z: star ? 6 : 4,
      data: one.dots.map((d) => ({ value: [d.x, d.y], label2: d.label })),
      itemStyle: ring ? { color: 'transparent', borderColor: c.ink, borderWidth: 1.5 }
        : { color: colourOf(one.mark, c), borderColor: c.paper, borderWidth: star ? 1 : 0 },
      label: { show: one.dots.some((d) => d.label), position: 'right', color: c.ink, formatter: (p) => p.data.label2 },
      tooltip: { formatter: say },
    };
  }

  function errorBars(one, c) {
    return {
      type: 'custom', silent: true, z: 3, encode: { x: 0, y: [1, 2] },
      data: one.dots.filter((d) => d.low < d.high).map((d) => [d.x, d.low, d.high]),
      renderItem: (params, api) => {
        const low = api.coord([api.value(0), api.value(1)]);
        const high = api.coord([api.value(0), api.value(2)]);
        const style = { stroke: c.ink, lineWidth: 1.5 };
        const part = (x1, y1, x2, y2) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style });
        return {
          type: 'group',
          children: [part(low[0], low[1], high[0], high[1]), part(low[0] - 5, low[1], low[0] + 5, low[1]),
            part(high[0] - 5, high[1], high[0] + 5, high[1])],
        };
      },
    };
  }

  function xy(plot, c) {
    const named = plot.series.length > 1;
    return {
      ...common(c),
      legend: named ? legend(plot.series.map((s) => [s.name, s.mark]), c) : undefined,
      grid: { left: 14, right: 24, bottom: 34, top: 34 + (named ? LEGEND_LINE * plot.series.length : 0), containLabel: true },
      xAxis: axisOption(plot.x, c, false),
      yAxis: axisOption(plot.y, c, true),
      series: plot.series.flatMap((s) => (s.dots.some((d) => d.low < d.high)
        ? [series(s, plot.x, plot.y, c), errorBars(s, c)] : [series(s, plot.x, plot.y, c)])),
    };
  }

  function spans(plot, c) {
    const last = plot.x.max;
    return {
      ...common(c),
      grid: { left: 14, right: 24, bottom: 34, top: 8, containLabel: true },
      xAxis: axisOption(plot.x, c, false),
      yAxis: {
        type: 'category', inverse: true, data: plot.spans.map((s) => s.label),
        axisLabel: { color: c.ink, fontSize: 12, lineHeight: 13, interval: 0, width: 140, overflow: 'break' },
        axisTick: { show: false },
        axisLine: { lineStyle: { color: c.soft } },
      },
      series: [
        { type: 'bar', stack: 'all', silent: true, itemStyle: { color: 'transparent' }, data: plot.spans.map((s) => s.from) },
        {
          type: 'bar', stack: 'all', barCategoryGap: '35%',
          data: plot.spans.map((s) => ({
            value: s.to - s.from,
            itemStyle: s.solid ? { color: c.fill, borderColor: c.fill, borderWidth: 1 }
              : { color: 'transparent', borderColor: c.ink, borderWidth: 1, borderType: 'dashed' },
            // Beside the bar where there is room, or before it, or within it.
            label: {
              show: true, formatter: s.text,
              ...(s.to < 0.7 * last ? { position: 'right', color: c.ink }
                : s.from > 0.3 * last ? { position: 'left', color: c.ink }
                  : { position: 'inside', color: s.solid ? c.paper : c.ink }),
            },
          })),
          tooltip: { formatter: (p) => plot.spans[p.dataIndex].label + ': ' + plot.spans[p.dataIndex].text },
        },
      ],
    };
  }

  function parallel(plot, c) {
    const groups = [
      ['final run', 'DASHED'], ['trial with the best score', 'SOLID'], ['other trials', 'DOTTED'],
    ].filter(([, mark]) => plot.tracks.some((t) => t.mark === mark));
    return {
      ...common(c),
      legend: legend(groups, c),
      parallel: { left: 24, right: 44, bottom: 16, top: 40 + LEGEND_LINE * groups.length },
      parallelAxis: plot.axes.map((axis, dim) => ({
        dim, name: axis.name, type: axis.scale === 'LOG' ? 'log' : 'value', min: axis.min, max: axis.max,
        ...ticks(axis), nameTextStyle: { color: c.ink, fontSize: 14 }, nameGap: 12,
        axisLabel: { color: c.ink, fontSize: 11, hideOverlap: true, formatter: tick(axis) },
        axisLine: { lineStyle: { color: c.soft } },
      })),
      series: groups.map(([name, mark]) => ({
        type: 'parallel', name, smooth: false,
        itemStyle: { color: colourOf(mark, c) },
        lineStyle: {
          color: colourOf(mark, c), opacity: 1, width: mark === 'DOTTED' ? 1.5 : 2.5, type: DASHES[mark],
        },
        data: plot.tracks.filter((t) => t.mark === mark)
          .map((t) => ({ name: t.name, value: t.values.map((v) => (v === null ? NaN : v)) })),
        tooltip: { formatter: (p) => p.name },
      })),
    };
  }

  function strips(plot, c) {
    const lines = plot.lines.map((l) => ({
      type: 'line', name: l.name, data: [], symbol: 'none', silent: true, itemStyle: { color: c.ink },
      markLine: {
        symbol: 'none', silent: true, precision: 12, // by itself it rounds to two digits
        label: { show: false }, data: [{ xAxis: l.value }],
        lineStyle: { color: c.ink, width: 1.5, type: DASHES[l.mark] },
      },
    }));
    const say = (p) => plot.strips[p.data[1]].label + ': ' + exact(plot.x)(p.data[0]);
    return {
      ...common(c),
      legend: lines.length ? legend(plot.lines.map((l) => [l.name, l.mark]), c) : undefined,
      grid: { left: 14, right: 24, bottom: 34, top: 8 + LEGEND_LINE * lines.length, containLabel: true },
      xAxis: axisOption(plot.x, c, false),
      yAxis: {
        type: 'category', inverse: true, data: plot.strips.map((s) => s.label),
        axisLabel: { color: c.ink, fontSize: 12, lineHeight: 13, interval: 0, width: 140, overflow: 'break' },
        axisTick: { show: false },
        axisLine: { onZero: false, lineStyle: { color: c.soft } }, splitLine: { show: false },
      },
      series: [
        ...lines,
        {
          type: 'custom', silent: true, encode: { x: [0, 1], y: 2 },
          data: plot.strips.map((s, i) => [s.low, s.high, i]).filter(([low, high]) => high > low),
          renderItem: (params, api) => {
            const low = api.coord([api.value(0), api.value(2)]);
            const high = api.coord([api.value(1), api.value(2)]);
            const part = (x1, y1, x2, y2) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke: c.ink, lineWidth: 1.5 } });
            return {
              type: 'group',
              children: [part(low[0], low[1], high[0], high[1]), part(low[0], low[1] - 5, low[0], low[1] + 5),
                part(high[0], high[1] - 5, high[0], high[1] + 5)],
            };
          },
        },
        {
          type: 'scatter', symbol: 'circle', symbolSize: 10, data: plot.strips.flatMap((s, i) => s.values.map((v) => [v, i])),
          itemStyle: { color: 'transparent', borderColor: c.soft, borderWidth: 1.5 }, tooltip: { formatter: say },
        },
        {
          type: 'scatter', symbol: 'diamond', symbolSize: 15, z: 5, data: plot.strips.map((s, i) => [s.value, i]),
          itemStyle: { color: c.fill, borderColor: c.paper, borderWidth: 1 }, tooltip: { formatter: say },
        },
      ],
    };
  }

  // Several bars for each group, in the order of the legend.
  function bars(plot, c) {
    const looks = [c.fill, c.second, c.third];
    return {
      ...common(c),
      legend: legend(plot.sets.map((set) => [set.name, 'BAR']), c),
      grid: { left: 14, right: 24, bottom: 34, top: 8 + LEGEND_LINE * plot.sets.length, containLabel: true },
      xAxis: axisOption(plot.x, c, false),
      yAxis: {
        type: 'category', inverse: true, data: plot.groups,
        axisLabel: { color: c.ink, fontSize: 12, lineHeight: 13, interval: 0, width: 140, overflow: 'break' },
        axisTick: { show: false }, axisLine: { lineStyle: { color: c.soft } },
      },
      series: plot.sets.map((set, i) => ({
        type: 'bar', name: set.name, data: set.values, barCategoryGap: '30%', barGap: '0%',
        itemStyle: { color: looks[i % looks.length], borderColor: c.paper, borderWidth: 1 },
        tooltip: { formatter: (p) => p.name + '\n' + set.name + ': ' + exact(plot.x)(p.value) },
      })),
    };
  }

  // Darker where more of a row is; what is written into a square is readable on it.
  function matrix(plot, c, width) {
    const n = plot.names.length;
    const room = (width - 90) / n;
    const longest = Math.max(...plot.cells.flat().map((cell) => cell.text.length));
    const gap = Math.min(60, 7.5 * Math.max(...plot.names.map((name) => name.length))) + 14;
    const named = { color: c.ink, fontSize: 12, interval: 0, overflow: 'truncate' };
    return {
      ...common(c),
      grid: { left: 30, right: 8, bottom: 8, top: 26, containLabel: true },
      xAxis: {
        type: 'category', position: 'top', data: plot.names, name: plot.columns, nameLocation: 'middle', nameGap: 26,
        nameTextStyle: { color: c.ink, fontSize: 13 }, axisLabel: { ...named, width: room - 4 }, axisTick: { show: false }, splitLine: { show: false },
      },
      yAxis: {
        type: 'category', inverse: true, data: plot.names, name: plot.rows, nameLocation: 'middle', nameRotate: 90, nameGap: gap,
        nameTextStyle: { color: c.ink, fontSize: 13 }, axisLabel: { ...named, width: 60 }, axisTick: { show: false }, splitLine: { show: false },
      },
      series: [{
        type: 'custom', encode: { x: 0, y: 1 },
        data: plot.cells.flatMap((row, y) => row.map((cell, x) => [x, y, cell.share])),
        tooltip: {
          formatter: (p) => {
            const [x, y, share] = p.data;
            return plot.rows + ' ' + plot.names[y] + ', ' + plot.columns + ' ' + plot.names[x] + ': ' + plot.cells[y][x].text + ' (' + (100 * share).toFixed(1) + '%)';
          },
        },
        renderItem: (params, api) => {
          const share = api.value(2);
          const [px, py] = api.coord([api.value(0), api.value(1)]);
          const [w, h] = api.size([1, 1]);
          const square = {
            type: 'rect', shape: { x: px - w / 2 + 0.5, y: py - h / 2 + 0.5, width: w - 1, height: h - 1 },
            style: { fill: c.fill, opacity: 0.04 + 0.96 * share },
          };
          // Half way the square is neither dark nor light: the digits are bold there and everywhere.
          const text = {
            type: 'text', x: px, y: py, silent: true,
            style: { text: plot.cells[api.value(1)][api.value(0)].text, fill: share > 0.5 ? c.paper : c.ink, font: 'bold 11px sans-serif', align: 'center', verticalAlign: 'middle' },
          };
          return { type: 'group', children: room > 7 * longest + 4 ? [square, text] : [square] };
        },
      }],
    };
  }

  const OPTIONS = { xy, spans, strips, parallel, bars, matrix };

  function height({ kind, plot }, width) {
    if (kind === 'matrix') {
      return Math.round(Math.min(Math.max(220, width * 0.85), 70 + 44 * plot.names.length)) + 'px';
    }
    const lines = kind === 'spans' ? plot.spans.length : kind === 'strips' ? plot.strips.length + plot.lines.length
      : kind === 'bars' ? plot.groups.length * 1.2 + plot.sets.length * 0.7 : 0;
    return lines ? Math.max(160, 60 + 30 * lines) + 'px' : '';
  }

  const drawn = new Map();
  function draw(place, print) {
    const { chart, figure } = drawn.get(place);
    place.style.height = height(chart, place.clientWidth);
    figure.resize();
    figure.setOption(OPTIONS[chart.kind](chart.plot, colours(print), place.clientWidth), true);
  }
  const drawAll = (print) => drawn.forEach((one, place) => draw(place, print));

  function show(place, chart) {
    place.hidden = false;
    place.style.height = height(chart, place.clientWidth);
    drawn.set(place, { chart, figure: echarts.init(place, null, { renderer: 'svg' }) });
    draw(place, false);
  }

  // Of places that go with a part of the page.
  function forget(within) {
    drawn.forEach(({ figure }, place) => {
      if (within.contains(place)) {
        figure.dispose();
        drawn.delete(place);
      }
    });
  }

  const data = document.getElementById('data');
  for (const chart of data ? JSON.parse(data.textContent).charts : []) {
    const place = document.getElementById('plot-' + chart.id);
    show(place, chart);
    place.parentElement.querySelector('details').open = false;
  }
  dark.addEventListener('change', () => drawAll(false));
  addEventListener('resize', () => drawAll(false));
  addEventListener('beforeprint', () => drawAll(true));
  addEventListener('afterprint', () => drawAll(false));
  return { show, forget };
})();
