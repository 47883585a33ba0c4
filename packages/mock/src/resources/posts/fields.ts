import * as z from 'zod/mini';
import type { Micros } from '../../engine/clock.js';
import { badRequest } from '../../engine/http.js';
import { codePoints, text, texts, words } from '../../engine/schema.js';
import type { Service } from '../../engine/store.js';
import type { Bulle } from '../../seed/brand.js';
import { findConnection, needsReconnect } from '../connections.js';
import { LIMITS, type MockPlatform, PLATFORMS } from '../platforms.js';

// The common fields of POST /posts and POST /social/publish.

export const platforms = words(PLATFORMS);

/** The media fields of a post, with the allowed number of images in a carousel. */
export const mediaShape = (min: number, max: number) => ({
  image_url: z.optional(text({ min: 1 })),
  image_urls: z.optional(
    texts.check(
      z.refine((urls) => urls.length >= min && urls.length <= max, `doit contenir de ${min} à ${max} adresses`),
    ),
  ),
  video_url: z.optional(text({ min: 1 })),
});

interface Media {
  readonly image_url?: string | undefined;
  readonly image_urls?: string[] | undefined;
  readonly video_url?: string | undefined;
}

/** The media as a post stores them. */
export const mediaOf = ({ image_url, image_urls, video_url }: Media) => ({
  image_url: image_url ?? null,
  image_urls: image_urls ?? null,
  video_url: video_url ?? null,
});

/**
 * Refuses platforms without an account, with the text of the specification. An account that must be connected again is
 * accepted.
 */
export function requireConnected({ store }: Service, bulle: Bulle, platforms: readonly MockPlatform[]): void {
  if (!platforms.every((platform) => findConnection(store, bulle.id, platform)?.connected === true)) {
    throw badRequest('Plateforme non connectée');
  }
}

/** Warnings about probable failures. They do not prevent the publication. */
export function warningsFor(
  { store }: Service,
  { id }: Bulle,
  content: string,
  dates: readonly { readonly platform: MockPlatform; readonly at: Micros }[],
  now: Micros,
): string[] {
  return dates.flatMap(({ platform, at }) => {
    const connection = findConnection(store, id, platform);
    const limit = LIMITS.character_limits[platform];
    return [
      ...(connection !== undefined && needsReconnect(connection, Math.max(at, now))
        ? [`${platform} : la connexion doit être renouvelée avant la publication.`]
        : []),
      ...(codePoints(content) > limit ? [`${platform} : le texte dépasse ${limit} caractères.`] : []),
      ...(at < now ? [`${platform} : la date est passée, la publication part tout de suite.`] : []),
    ];
  });
}
