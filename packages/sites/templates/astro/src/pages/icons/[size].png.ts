import type { APIRoute } from 'astro';
import icon from '../../../public/favicon.svg?raw';
import { drawIcon } from '../../card';

/** For phones and browsers that take no SVG. */
export const getStaticPaths = () => ['180', '192'].map((size) => ({ params: { size } }));

export const GET: APIRoute = async ({ params }) =>
  new Response(await drawIcon(icon, Number(params.size)), { headers: { 'Content-Type': 'image/png' } });
