/** A body with the answer that brought it. */
export interface ApiResult<T> {
  data: T;
  /** The real `Response`: status and headers. Its body has been read. */
  response: Response;
}

/**
 * A promise of the body of an answer, which can also give the answer itself.
 * The request is on its way from the start, awaited or not.
 * @example
 * const article = await client.articles.get(42);
 * const { data, response } = await client.articles.get(42).withResponse();
 */
export class ApiPromise<T> extends Promise<T> {
  #result: ApiResult<T> | undefined;

  /** @internal */
  constructor(result: Promise<ApiResult<T>>) {
    super((resolve, reject) => {
      // Engines follow a promise that one other waits for, and nothing of ours in the last step: so errors show where the
      // caller awaits.
      result.then((whole) => this.#keep(whole)).then(resolve, reject);
    });
  }

  /** What `then` makes of it is a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** The body together with the `Response`: status, headers. */
  withResponse(): Promise<ApiResult<T>> {
    return this.then(() => this.#result as ApiResult<T>);
  }

  #keep(result: ApiResult<T>): T {
    this.#result = result;
    return result.data;
  }
}
