import { ok } from '../engine/http.js';
import { defineResource, route } from '../engine/router.js';

/** A platform on which posts can be published. */
export type MockPlatform =
  | 'facebook'
  | 'instagram'
  | 'gmb'
  | 'linkedin'
  | 'pinterest'
  | 'tiktok'
  | 'snapchat'
  | 'youtube';

/** The order in which the API names platforms. */
export const PLATFORMS = 'facebook instagram gmb linkedin pinterest tiktok snapchat youtube'.split(
  ' ',
) as MockPlatform[];

// The service can change the values, so clients may rely only on their shape. The specification counts nine platforms
// and names eight. The ninth is the mock's choice, so that no client hard-codes the eight.

export const LIMITS = {
  character_limits: {
    facebook: 63206,
    instagram: 2200,
    gmb: 1500,
    linkedin: 3000,
    pinterest: 500,
    tiktok: 2200,
    snapchat: 160,
    youtube: 5000,
    threads: 500,
  },
  image_limits: {
    instagram: { max_size_mb: 8, carousel_min: 2, carousel_max: 10 },
    facebook: { max_size_mb: 10, carousel_min: 2, carousel_max: 10 },
    linkedin: { max_size_mb: 5, carousel_min: 2, carousel_max: 9 },
    pinterest: { max_size_mb: 20, carousel_min: 2, carousel_max: 5 },
    gmb: { max_size_mb: 5, carousel_min: null, carousel_max: null },
  },
  video_limits: {
    instagram: { max_size_mb: 100, max_duration_sec: 900 },
    facebook: { max_size_mb: 1024, max_duration_sec: 14400 },
    linkedin: { max_size_mb: 200, max_duration_sec: 600 },
    pinterest: { max_size_mb: 2048, max_duration_sec: 900 },
    gmb: { max_size_mb: 75, max_duration_sec: null },
  },
};

export const platforms = defineResource({
  routes: [route('GET /platforms/limits', 'read', 'platforms.limits', () => ok(LIMITS))],
});
