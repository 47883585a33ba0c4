import { perPlatform } from '@multilocal/client/resources/parameters';
import type { Post } from 'multilocal';

/** A post of the service. */
export function postOf(fields: Partial<Post> = {}): Post {
  return {
    ...perPlatform<'scheduled', never>('scheduled', null as never),
    ...perPlatform<'published', never>('published', null as never),
    ...perPlatform<'error', never>('error', null as never),
    id: 1,
    bulle_id: 'bul_lyon',
    content: 'Bonjour',
    platforms: ['facebook'],
    status: 'pending',
    image_url: null,
    image_urls: null,
    video_url: null,
    scheduled_facebook: '2026-12-24T08:00:00Z',
    created_at: '2026-11-20T09:00:00Z',
    updated_at: '2026-11-20T09:00:00Z',
    ...fields,
  };
}
