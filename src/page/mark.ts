/**
 * The header with which `articlesProxy` marks every response, with the value `1`. The proxy also names it in
 * `Access-Control-Expose-Headers`: otherwise a page of another origin cannot read it.
 */
export const PROXY_MARK = 'X-Multilocal-Proxy';

/**
 * The beginning of every body of `articlesProxy`, white space for JSON. It marks a response whose headers a page may not
 * read, such as those that SvelteKit hands over to the page.
 */
export const BODY_MARK = '\n \n';
