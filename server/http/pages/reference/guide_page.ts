import { imageAddress } from './assets.ts';
import { headingsOf } from './guide_sections.ts';
import { addressOf, type Guide } from './guides.ts';
import type { ReferenceContent } from './layout.ts';
import type { ApiModel, ResourceModel } from './model.ts';
import { markdown } from './text.ts';

/** A guide as HTML. Requests such as `POST /v1/payments` lead to their sections in the reference. */
export function guidePage(guide: Guide, guides: readonly Guide[], api: ApiModel): ReferenceContent {
  const about = aboutIn(guide, api.resources).map(({ tag, title }) => `<a href="/docs/${tag}">${title}</a>`);
  const links = about.length === 0 ? '' : `<p class="beside">In the API reference: ${about.join(', ')}</p>\n`;
  const html = guideMarkdown(guides, api).page(guide.text.replace(/^# .+\n/m, ''));
  return { title: guide.title, content: links + html, sections: headingsOf(guide.text) };
}

export function guideMarkdown(guides: readonly Guide[], { resources }: ApiModel) {
  const sections = new Map(
    resources.flatMap(({ tag, operations }) =>
      operations.map(({ id, method, path }) => [`${method} ${path}`, `/docs/${tag}#${id}`]),
    ),
  );
  return markdown({
    follow: (href) => addressOf(href, guides),
    operation: (request) => sections.get(request),
    image: imageAddress,
  });
}

/** The resources that a guide is about: those whose name it bears, and those whose requests it shows more than once. */
export function aboutIn(guide: Guide, resources: readonly ResourceModel[]): ResourceModel[] {
  return resources.filter(({ tag }) => {
    const requests = guide.text.match(new RegExp(`/v1/${tag}\\b`, 'g')) ?? [];
    return guide.name === tag.replaceAll('_', '-') || requests.length > 1;
  });
}
