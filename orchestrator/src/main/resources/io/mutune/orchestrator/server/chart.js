// Draws an account's budget over time, with the charting library that stands before this script.
'use strict';
const mutuneChart = (() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const colours = () => (dark.matches
    ? { ink: '#e8e8e8', soft: '#b0b0b0', rule: '#3a3d43', fill: '#8fb8ff', paper: '#16181c' }
    : { ink: '#1a1a1a', soft: '#555', rule: '#ddd', fill: '#2f5da8', paper: '#fff' });
  const drawn = new Map();

  // What is spent jumps when something is charged and stays until the next: a line in steps.
  function option(account) {
    const c = colours();
    const axis = { axisLabel: { color: c.ink, fontSize: 12, hideOverlap: true }, axisLine: { show: true, lineStyle: { color: c.soft } }, splitLine: { lineStyle: { color: c.rule } } };
    return {
      animation: false, backgroundColor: 'transparent',
      textStyle: { fontFamily: 'sans-serif', color: c.ink },
      tooltip: { trigger: 'axis', confine: true, renderMode: 'richText', backgroundColor: c.paper, borderColor: c.soft, textStyle: { color: c.ink } },
      grid: { left: 14, right: 24, bottom: 8, top: 40, containLabel: true },
      xAxis: { ...axis, type: 'time', minInterval: 1000, axisLabel: { ...axis.axisLabel, fontSize: 11, minMargin: 8 } },
      yAxis: { ...axis, axisLabel: { ...axis.axisLabel, showMaxLabel: false }, type: 'value', name: account.unit, nameTextStyle: { color: c.ink, align: 'left' }, min: 0, max: Number((account.cap * 1.08).toPrecision(2)) },
      series: [
        {
          type: 'line', name: account.label, step: 'end', symbol: 'circle', symbolSize: 6, data: account.points,
          lineStyle: { color: c.fill, width: 2 }, itemStyle: { color: c.fill }, areaStyle: { color: c.fill, opacity: 0.15 },
          markLine: {
            symbol: 'none', silent: true, precision: 12, data: [{ yAxis: account.cap }],
            label: { formatter: 'budget', position: 'insideEndTop', color: c.ink },
            lineStyle: { color: c.ink, type: 'dashed', width: 1.5 },
          },
        },
      ],
    };
  }

  // Parts of a whole over time, one upon the other, in steps.
  function parts(account) {
    const c = colours();
    const base = option({ ...account, unit: '', label: '', cap: 1, points: [] });
    const looks = [{ color: c.fill, opacity: 0.55 }, { color: c.fill, opacity: 0.15 }];
    return {
      ...base,
      legend: { top: 0, left: 0, textStyle: { color: c.ink }, itemHeight: 10 },
      tooltip: { ...base.tooltip, valueFormatter: (x) => (100 * x).toPrecision(3) + '%' },
      yAxis: { ...base.yAxis, max: 1.08, axisLabel: { ...base.yAxis.axisLabel, formatter: (x) => Math.round(100 * x) + '%' } },
      series: account.parts.map((part, i) => ({
        type: 'line', name: part.name, stack: 'all', step: 'end', symbol: i ? 'emptyCircle' : 'circle', symbolSize: 6, data: part.points,
        lineStyle: { color: c.fill, width: 2, type: i ? 'dotted' : 'solid' }, itemStyle: { color: c.fill }, areaStyle: looks[i],
        ...(i ? {} : { markLine: base.series[0].markLine }),
      })),
    };
  }

  // A score a run, in the order of the plan. Noise may take it below 0 or above 1.
  function scores(study) {
    const c = colours();
    const base = option({ unit: '', label: '', cap: 1, points: [] });
    const all = study.scores.map(([, score]) => score);
    const min = Math.floor(10 * Math.min(...all) - 0.5) / 10;
    const max = Math.max(1, Math.ceil(10 * Math.max(...all)) / 10);
    return {
      ...base,
      tooltip: { ...base.tooltip, trigger: 'item', formatter: (p) => p.data[0] + ': ' + (100 * p.data[1]).toFixed(2) + '%' },
      grid: { ...base.grid, top: 34 },
      xAxis: { ...base.xAxis, type: 'category', data: study.scores.map(([run]) => run), splitLine: { show: false }, axisLine: { ...base.xAxis.axisLine, onZero: false } },
      yAxis: { ...base.yAxis, name: 'score', min, max, axisLabel: { ...base.yAxis.axisLabel, showMaxLabel: true, formatter: (x) => Math.round(100 * x) + '%' } },
      series: [{ type: 'scatter', symbolSize: 11, data: study.scores, itemStyle: { color: c.fill } }],
    };
  }

  const optionOf = (figure) => (figure.scores ? scores(figure) : figure.parts ? parts(figure) : option(figure));

  function draw(place, account) {
    let figure = drawn.get(place);
    if (!figure) {
      figure = { chart: echarts.init(place, null, { renderer: 'svg' }), account };
      drawn.set(place, figure);
    }
    figure.account = account;
    figure.chart.setOption(optionOf(account), true);
    figure.chart.resize();
  }

  function forget(place) {
    const figure = drawn.get(place);
    if (figure) {
      figure.chart.dispose();
      drawn.delete(place);
    }
  }

  dark.addEventListener('change', () => drawn.forEach((f) => f.chart.setOption(optionOf(f.account), true)));
  addEventListener('resize', () => drawn.forEach((f) => f.chart.resize()));
  return { draw, forget };
})();
