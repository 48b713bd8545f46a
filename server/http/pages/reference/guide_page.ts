import { imageAddress } from './assets.ts';
import { headingsOf } from './guide_sections.ts';
import { addressOf, type Guide } from './guides.ts';
import type { ReferenceContent } from './layout.ts';
import type { ApiModel, ResourceModel } from './model.ts';
import { type CalledApi, GuideSamples } from './samples/guide_samples.ts';
import { tabs } from './samples/tabs.ts';
import { type Links, markdown } from './text.ts';

/** A guide as HTML. Requests such as `POST /v1/payments` lead to their sections in the reference. */
export function guidePage(guide: Guide, guides: readonly Guide[], api: ApiModel, called: CalledApi): ReferenceContent {
  const about = aboutIn(guide, api.resources).map(({ tag, title }) => `<a href="/docs/${tag}">${title}</a>`);
  const links = about.length === 0 ? '' : `<p class="beside">In the API reference: ${about.join(', ')}</p>\n`;
  const html = guideMarkdown(guides, api, exampleTabs(called)).page(guide.text.replace(/^# .+\n/m, ''));
  const client = html.includes('class="tabs"') ? clientNote : '';
  return { title: guide.title, content: links + client + html, sections: headingsOf(guide.text) };
}

const clientNote =
  '<p class="beside">In the samples, <code>tollgate</code> is a <a href="/docs#client">client</a> of this gateway.</p>\n';

/** Examples that call the API and nothing else are shown in three languages. */
function exampleTabs(called: CalledApi): Links['example'] {
  const samples = new GuideSamples(called);
  let count = 0;
  return (code, language) => {
    const other = language === 'sh' ? samples.next(code) : undefined;
    if (other === undefined) return undefined;
    count += 1;
    return tabs(`example-${count}`, [
      { label: 'curl', language, code },
      { label: 'TypeScript', language: 'ts', code: other.typescript },
      { label: 'Python', language: 'python', code: other.python },
    ]);
  };
}

export function guideMarkdown(guides: readonly Guide[], { resources }: ApiModel, example?: Links['example']) {
  const sections = new Map(
    resources.flatMap(({ tag, operations }) =>
      operations.map(({ id, method, path }) => [`${method} ${path}`, `/docs/${tag}#${id}`]),
    ),
  );
  return markdown({
    follow: (href) => addressOf(href, guides),
    operation: (request) => sections.get(request),
    image: imageAddress,
    ...(example && { example }),
  });
}

/** The resources that a guide is about: those whose name it bears, and those whose requests it shows more than once. */
export function aboutIn(guide: Guide, resources: readonly ResourceModel[]): ResourceModel[] {
  return resources.filter(({ tag }) => {
    const requests = guide.text.match(new RegExp(`/v1/${tag}\\b`, 'g')) ?? [];
    return guide.name === tag.replaceAll('_', '-') || requests.length > 1;
  });
}
