import { createRedactor } from 'multilocal/internal/redact';

/** Names of fields that hold a phone number or an e-mail address of a customer. */
const CONTACT = /^(contact|.*(phone|e_?mail))$/i;

/** Returns a copy of a result without phone numbers and e-mail addresses of customers. */
export function maskContacts(value: unknown, mask: ((text: string) => string) | undefined): unknown {
  return hideFields(createRedactor([], mask).json(value));
}

function hideFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideFields);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      return [name, typeof field === 'string' && CONTACT.test(name) ? '[redacted]' : hideFields(field)];
    }),
  );
}
