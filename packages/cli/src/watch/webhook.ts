import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { sleep } from 'multilocal/internal/abort';
import type { WatchEvent } from 'multilocal/watch';
import { Webhook } from 'standardwebhooks';
import { EXIT, Failed, UsageError } from '../failure.js';
import type { Output } from '../output.js';
import { lookupFor, PrivateAddress } from './address.js';

/** Ms for one attempt. */
const TIMEOUT = 15_000;
/** The first wait between two attempts, the longest one, and the attempts of a run that ends. */
const [WAIT, LONGEST_WAIT, ATTEMPTS] = [1_000, 15 * 60_000, 5];
/** Bytes of a secret, at least. */
const SECRET_BYTES = 24;

/** @throws {UsageError} if the text is not a secret of Standard Webhooks. It is not repeated. */
export function secretOf(text: string): string {
  const secret = text.trim();
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  if (Buffer.from(base64, 'base64').length >= SECRET_BYTES) return secret;
  const hint = `Write one with: echo "whsec_$(openssl rand -base64 ${SECRET_BYTES})" > webhook.secret`;
  throw new UsageError(
    `The file of \`--webhook-secret-file\` must hold \`whsec_\` and ${SECRET_BYTES} bytes or more as base64.`,
    hint,
  );
}

/** Where events go. */
export interface Receiver {
  readonly url: URL;
  readonly secret: string;
  readonly allowPrivate: boolean;
  /** Whether to give up after some attempts. */
  readonly once: boolean;
}

/** Posts events as Standard Webhooks prescribe, each until it arrives. */
export class Sender {
  readonly #receiver: Receiver;
  readonly #webhook: Webhook;
  readonly #output: Output;
  readonly #signal: AbortSignal;

  constructor(receiver: Receiver, output: Output, signal: AbortSignal) {
    this.#receiver = receiver;
    this.#webhook = new Webhook(receiver.secret);
    this.#output = output;
    this.#signal = signal;
  }

  /** Resolves after a 2xx. @throws {Failed} after a 410, and with `once` after some attempts. */
  async send({ id, type, at, ...data }: WatchEvent): Promise<void> {
    const body = JSON.stringify({ type, timestamp: at, data: { id, ...data } });
    for (let attempt = 1; ; attempt++) {
      const { status, problem, retryAfter } = await this.#attempt(id, body);
      if (status >= 200 && status < 300) return;
      const message = `The receiver ${this.#receiver.url.origin} ${problem}.`;
      if (status === 410) {
        const hint = 'A 410 says that the receiver wants no more events. The event stays in the cursor.';
        throw new Failed({ code: 'webhook_gone', message, hint }, {}, EXIT.failed);
      }
      if (this.#receiver.once && attempt >= ATTEMPTS) {
        const hint = 'The event stays in the cursor, and the next run sends it again.';
        throw new Failed({ code: 'webhook_failed', message, hint }, {}, EXIT.retry);
      }
      const most = this.#receiver.once ? 2 ** ATTEMPTS * WAIT : LONGEST_WAIT;
      const wait = Math.min(most, Math.max(retryAfter, WAIT * 2 ** (attempt - 1) * (0.75 + Math.random() / 2)));
      this.#output.note(`${message} The next attempt is in ${Math.ceil(wait / 1000)} s.`);
      await sleep(wait, this.#signal);
    }
  }

  /** The event in hand is sent even if the process is asked to end: the attempt is short. */
  #attempt(id: string, body: string): Promise<{ status: number; problem: string; retryAfter: number }> {
    const { url, allowPrivate } = this.#receiver;
    const now = new Date();
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'multilocal',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': this.#webhook.sign(id, now, body),
    };
    return new Promise((resolve) => {
      const failed = (error: Error & { code?: string }) => {
        const reason =
          error instanceof PrivateAddress
            ? `: ${error.message} (see --allow-private)`
            : ` (${error.code ?? 'no response'})`;
        resolve({ status: 0, problem: `cannot be reached${reason}`, retryAfter: 0 });
      };
      const send = url.protocol === 'https:' ? requestHttps : requestHttp;
      const request = send(
        url,
        { method: 'POST', headers, lookup: lookupFor(url, allowPrivate), agent: false },
        (response) => {
          const { statusCode: status = 0, headers: received } = response;
          const isRedirect = status >= 300 && status < 400;
          const retryAfter = 1000 * (Number(received['retry-after']) || 0);
          response.destroy();
          resolve({
            status,
            problem: `answered ${status}${isRedirect ? ', and redirects are not followed' : ''}`,
            retryAfter,
          });
        },
      );
      const timer = setTimeout(() => request.destroy(Object.assign(new Error(), { code: 'timeout' })), TIMEOUT);
      request
        .on('close', () => {
          clearTimeout(timer);
          // A 101 without a response, for one.
          failed(new Error());
        })
        .on('error', failed)
        .end(body);
    });
  }
}
