export { BREAD_FACTS, BREAD_TEXTS } from './breads.js';
export { COMMON_SECTIONS, EVERY_DAY, QUOTES } from './common.js';
export { DRAWINGS } from './drawings.js';
export { RECIPE_TEXTS, RECIPES } from './recipes.js';
export { BASKETS, SEASON_TEXTS } from './seasons.js';
export { SHOP_TEXTS } from './shops.js';
export type { Section, Texts } from './types.js';
