/** Parts of a guide that are made from declarations, by the names in its markers. The rest of the guide is written by hand. */
export type Parts = Readonly<Record<string, () => string>>;

const markers = /(<!-- made by `npm run generate`: ([\w ]+) -->\n)[\s\S]*?(<!-- end -->)/g;

/** The guide, with each part that has markers made anew. */
export function withParts(guide: string, parts: Parts): string {
  return guide.replaceAll(markers, (_, begin, name, end) => `${begin}\n${parts[name]!()}\n\n${end}`);
}
