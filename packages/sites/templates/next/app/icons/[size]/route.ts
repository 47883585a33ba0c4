import { iconOf } from '@/lib/social';

const SIZES = ['180.png', '192.png'];

export const generateStaticParams = () => SIZES.map((size) => ({ size }));

export async function GET(_: Request, { params }: { params: Promise<{ size: string }> }): Promise<Response> {
  const { size } = await params;
  if (!SIZES.includes(size)) return new Response(null, { status: 404 });
  return new Response(await iconOf(Number.parseInt(size, 10)), { headers: { 'content-type': 'image/png' } });
}
