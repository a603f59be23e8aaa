// The layout of the month grid: a bar keeps its lane for a week, and a day shows at most MAX_SHOWN events.

const MAX_SHOWN = 3;

/** The cells of one week: bars by lane, single events, and the number of hidden ones. */
function layWeek(week, entries) {
  const cells = week.map((day) => ({ day, lanes: [], lines: [], hidden: 0 }));
  const bars = entries.filter((one) => one.isBar && one.touches(week[0], week[6]));
  // Earlier bars on top; of those that start together, the longest first.
  bars.sort((one, other) => moment(one.first) - moment(other.first) || moment(other.last) - moment(one.last));
  const free = []; // the first free day of each lane
  for (const bar of bars) {
    const start = bar.first > week[0] ? bar.first : week[0];
    const end = bar.last < week[6] ? bar.last : week[6];
    const found = free.findIndex((day) => day <= start);
    const lane = found < 0 ? free.length : found;
    free[lane] = later(end, 1);
    layBar(cells.slice(between(week[0], start), between(week[0], end) + 1), bar, lane);
  }
  for (const cell of cells) {
    const lines = entries.filter((one) => !one.isBar && one.first === cell.day);
    const freeLines = MAX_SHOWN - cell.lanes.filter(Boolean).length;
    cell.lines = lines.slice(0, freeLines);
    cell.hidden += lines.length - cell.lines.length;
  }
  return cells;
}

function layBar(cells, bar, lane) {
  for (const [place, cell] of cells.entries()) {
    if (lane >= MAX_SHOWN) {
      cell.hidden += 1;
      continue;
    }
    cell.lanes[lane] = {
      bar,
      length: place ? 0 : cells.length, // 0 after its first cell
      cameFromBefore: bar.first < cells[0].day,
      goesOn: bar.last > cells.at(-1).day,
    };
  }
}
