// The month as a grid: a bar keeps its lane for a week, and a day shows no more than it holds.

const MOST_SHOWN = 3;

/** The cells of one week: what stands in each lane, the lines below, and how many are folded. */
function layWeek(week, happenings) {
  const cells = week.map((day) => ({ day, lanes: [], lines: [], folded: 0 }));
  const bars = happenings.filter((one) => one.isBar && one.touches(week[0], week[6]));
  // What began earlier keeps its place on top; of what begins together the longest is first.
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
    const lines = happenings.filter((one) => !one.isBar && one.first === cell.day);
    const room = MOST_SHOWN - cell.lanes.filter(Boolean).length;
    cell.lines = lines.slice(0, room);
    cell.folded += lines.length - cell.lines.length;
  }
  return cells;
}

function layBar(cells, bar, lane) {
  for (const [place, cell] of cells.entries()) {
    if (lane >= MOST_SHOWN) {
      cell.folded += 1;
      continue;
    }
    cell.lanes[lane] = {
      bar,
      length: place ? 0 : cells.length, // 0 in its middle
      cameFromBefore: bar.first < cells[0].day,
      goesOn: bar.last > cells.at(-1).day,
    };
  }
}
