import createClient from 'openapi-fetch';
import type { paths } from './generated/schema';

/** Routes are types alone here: the whole client weighs what one call weighs. */
export const api = createClient<paths>();
