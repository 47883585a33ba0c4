import type { Hours, Period } from './hours.ts';

/** What Google's listings do not tell the service about a shop. Pages show what is there, and leave out the rest. */
export interface Shop {
  /** The location (`bulle_id`) whose articles the page has. The build names the listings that need it: no location has their name. */
  location?: string;
  /** The name on the site, if that of the listing is too long. */
  name?: string;
  /** The town by which shops are sorted, if it does not follow a postcode in the address. */
  town?: string;
  /** The narrowest type of schema.org, for search engines. Add yours: https://schema.org/LocalBusiness names them all. */
  type?:
    | 'Bakery'
    | 'Dentist'
    | 'FoodEstablishment'
    | 'HairSalon'
    | 'LocalBusiness'
    | 'MedicalClinic'
    | 'Restaurant'
    | 'Store';
  /** With the country: `+33465710001`. */
  phone?: string;
  /** `{ 'Mo-Fr': ['07:00-13:00', '15:30-19:30'], Sa: '07:00-19:00' }`. Days without hours are closed. */
  hours?: Hours;
  /** Days on which the shop is closed, whatever its hours: `2026-12-25`, or `2026-08-03/2026-08-24`. */
  closed?: readonly Period[];
  /** A photo in `public`, such as `shops/lyon.jpg`, or its address over https. */
  photo?: string;
  /** The address of a map. Without it, Google Maps looks for name and address. */
  map?: string;
  /** The address of the page on which people book or order. */
  booking?: string;
  /** An empty line begins a paragraph. */
  text?: string;
}

/** What all shops have in common. */
export const every: Shop = { type: 'LocalBusiness' };

/** Each shop by the id of its listing (`fiche_id`). This one is of the mock: replace it. */
export const shops: Readonly<Record<string, Shop>> = {
  'accounts/104829175630284517/locations/8837120495561027345': {
    type: 'Bakery',
    phone: '+33465710001',
    hours: { 'Tu-Sa': ['07:00-13:00', '15:30-19:30'], Su: '07:00-13:00' },
    text: 'Le fournil ouvre sur la rue : venez voir la première cuisson, à six heures.',
  },
};
