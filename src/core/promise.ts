/** A response body together with its `Response`. */
export interface ApiResult<T> {
  /** The parsed body, to which the promise itself resolves. */
  data: T;
  /** The `Response` with status and headers. Its body has been read. */
  response: Response;
}

/**
 * A promise of a response body. `withResponse` also gives the `Response`. The request is sent at once, even if the
 * promise is never awaited.
 * @example
 * const article = await client.articles.get(42);
 * const { data, response } = await client.articles.get(42).withResponse();
 */
export class ApiPromise<T> extends Promise<T> {
  readonly #result: Promise<ApiResult<T>>;

  /** @internal */
  constructor(result: Promise<ApiResult<T>>) {
    super((resolve, reject) => {
      result.then(({ data }) => data).then(resolve, reject);
    });
    this.#result = result;
  }

  /** Makes `then`, `catch` and `finally` return plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** Returns the body together with the `Response` (status and headers). */
  withResponse(): Promise<ApiResult<T>> {
    // `then` marks this promise as handled. Otherwise a failure would also be reported as an unhandled rejection.
    return this.then(() => this.#result);
  }
}
