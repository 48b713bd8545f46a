import { Type } from '../../../base/schema.ts';
import { Personal } from '../../../operations/schemas.ts';

const part = (description: string) => Type.Optional(Personal({ maxLength: 256, description }));

/** The parts of an address, as parameters. */
export const addressMembers = {
  line1: part('Street and number, up to 256 characters.'),
  line2: part('A further line, up to 256 characters.'),
  city: part('The city, up to 256 characters.'),
  state: part('The state, county or province, up to 256 characters.'),
  postal_code: part('The postal code, up to 256 characters.'),
  country: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z]{2}$',
      personal: true,
      normalize: (code: string) => code.toUpperCase(),
      description: 'Two-letter country code',
    }),
  ),
};
