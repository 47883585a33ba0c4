/**
 * The header with which `articlesProxy` marks every response, with the value `1`. The proxy also names it in
 * `Access-Control-Expose-Headers`: otherwise a page of another origin cannot read it.
 */
export const PROXY_MARK = 'X-Multilocal-Proxy';
