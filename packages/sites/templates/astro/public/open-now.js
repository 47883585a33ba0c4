// Says whether a shop is open now, in its own time zone, and marks the day in its hours. Without scripts, there are the hours.
if (!customElements.get('open-now')) {
  const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

  /** Whether one of the spans, such as `07:00-13:00`, has a time. Yesterday's may end after midnight. */
  const has = (spans, time, isYesterday) =>
    spans.some((span) => {
      const [opens, closes] = span.split('-');
      if (closes > opens) return !isYesterday && opens <= time && time < closes;
      return isYesterday ? time < closes : opens <= time;
    });

  const isClosed = (closed, date) =>
    closed.some((period) => {
      const [first, last = first] = period.split('/');
      return first <= date && date <= last;
    });

  customElements.define(
    'open-now',
    class extends HTMLElement {
      connectedCallback() {
        const { week, closed, timeZone, words } = JSON.parse(this.getAttribute('data-shop'));
        const at = (now) => {
          const date = { weekday: 'short', year: 'numeric', month: '2-digit', day: '2-digit' };
          const format = new Intl.DateTimeFormat('en-GB', {
            timeZone,
            hourCycle: 'h23',
            ...date,
            hour: '2-digit',
            minute: '2-digit',
          });
          const parts = format.formatToParts(now).map(({ type, value }) => [type, value]);
          const { weekday, year, month, day, hour, minute } = Object.fromEntries(parts);
          return { index: DAYS.indexOf(weekday), date: `${year}-${month}-${day}`, time: `${hour}:${minute}` };
        };
        const now = at(Date.now());
        const before = at(Date.now() - 86_400_000);
        const isOpen =
          (!isClosed(closed, now.date) && has(week[now.index], now.time, false)) ||
          (!isClosed(closed, before.date) && has(week[before.index], now.time, true));
        this.textContent = isOpen ? words.open : words.closed;
        this.classList.toggle('is-open', isOpen);
        document.querySelectorAll('.hours > *')[now.index]?.classList.add('today');
      }
    },
  );
}
