import type { Session } from '../core/call.js';
import type { Listener } from '../core/events.js';
import { parseHttpDate } from '../core/retry.js';
import { parseTimestamp } from '../core/timestamps.js';
import type { Timestamp } from '../core/types.js';

/** A `Date` header has whole seconds, and so may the dates of the service. */
const MARGIN = 1_000;

/** The clock of the service, as the `Date` headers of its responses show it. A client shares it with its views. */
export class ClockSkew {
  /** The last `Date` header. It is parsed only for a moment that is converted. */
  #date = '';
  /** When it arrived, by the clock of this machine. */
  #arrived = 0;

  readonly listener: Listener = ({ type }, { response }) => {
    // A cached response has an old date.
    const date = type === 'response' && !response?.headers.get('age') && response?.headers.get('date');
    if (!date) return;
    this.#date = date;
    this.#arrived = Date.now();
  };

  /**
   * Converts a moment of this machine's clock to the clock of the service. The result is never too late: the way of a
   * response takes time, and a margin makes up for whole seconds. As long as no response had a date, the moment is
   * returned unchanged.
   */
  at(moment: Timestamp): string {
    const date = typeof moment === 'string' ? parseTimestamp(moment) : moment;
    const arrived = parseHttpDate(this.#date);
    if (date && arrived !== undefined) {
      // How many ms the clock of the service is ahead of the clock of this machine.
      const ahead = arrived - this.#arrived;
      return new Date(date.getTime() + ahead - MARGIN).toISOString();
    }
    return typeof moment === 'string' ? moment : moment.toISOString();
  }
}

/** Converts a moment of this machine's clock to the clock of the service, see {@link ClockSkew}. */
export function byService({ stages }: Session, moment: Timestamp): string {
  return (stages.clock ?? new ClockSkew()).at(moment);
}
