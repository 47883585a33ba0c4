import type { MockPlatform } from '../helper-types.js';
import { badRequest, unprocessable } from '../http.js';
import { type Bulle, findConnection, needsReconnect, PLATFORMS } from '../model/brand.js';
import type { Service } from '../service.js';
import type { Micros } from '../timestamps.js';
import { codePoints, type Fields, optionalText, optionalTexts, requiredChoices } from '../validate.js';
import { LIMITS } from './platforms.js';

// What POST /posts and POST /social/publish have in common.

export const readPlatforms = (body: Fields): MockPlatform[] => requiredChoices(body, 'platforms', PLATFORMS);

interface ListRule {
  readonly min: number;
  readonly max: number;
}

export function readMedia(body: Fields, carousel: ListRule) {
  const image_url = optionalText(body, 'image_url', { min: 1 }) ?? null;
  const image_urls = optionalTexts(body, 'image_urls') ?? null;
  if (image_urls !== null && (image_urls.length < carousel.min || image_urls.length > carousel.max)) {
    throw unprocessable(`Le champ \`image_urls\` doit contenir de ${carousel.min} à ${carousel.max} adresses.`);
  }
  return { image_url, image_urls, video_url: optionalText(body, 'video_url', { min: 1 }) ?? null };
}

/** The text is the specification's; an account that waits for a new consent counts as connected. */
export function requireConnected({ store }: Service, bulle: Bulle, platforms: readonly MockPlatform[]): void {
  if (!platforms.every((platform) => findConnection(store, bulle.id, platform)?.connected === true)) {
    throw badRequest('Plateforme non connectée');
  }
}

/** What will probably go wrong, and keeps nothing from being accepted. */
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
