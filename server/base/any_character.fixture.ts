import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, as the unit of `fc.string`. fast-check's own unit `binary` is the same, but makes a table of them all first,
 * which takes a second.
 */
export const anyCharacter = fc
  .nat(0x10ffff - surrogates.count)
  .map((at) => String.fromCodePoint(at < surrogates.first ? at : at + surrogates.count));
