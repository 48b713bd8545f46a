import type { FieldContext } from './fields.ts';
import { typeOf } from './fields.ts';
import type { ReferenceContent } from './layout.ts';
import type { EventType } from './model.ts';
import { codeBlock } from './text.ts';

/** Every event type with the object that it carries. */
export function eventsPage(events: readonly EventType[], context: FieldContext): ReferenceContent {
  const sections = events.map(({ type, object, description, example }) => {
    const words = description === undefined ? '' : `<p>${context.line(description)}</p>`;
    const sample = example === undefined ? '' : codeBlock(JSON.stringify(example, null, 2), 'json', 'Example');
    return `<section class="operation" aria-labelledby="${type}"><div class="words"><h2 id="${type}"><a href="#${type}"><code>${type}</code></a></h2>
${words}<p class="meta"><code>data.object</code>: ${typeOf(object, context)}</p></div>${sample && `<div class="samples">${sample}</div>`}</section>`;
  });
  const lead = `<p class="lead">Changes are recorded as events. <a href="/docs/events">The API</a> lists them, and
<a href="/docs/webhook_endpoints">webhook endpoints</a> receive them.</p>`;
  const types = events.map(({ type }) => `<li><a href="#${type}"><code>${type}</code></a></li>`);
  const list = `<ul class="codes flowing">\n${types.join('\n')}\n</ul>`;
  return { title: 'Event types', content: `${lead}\n${list}\n${sections.join('\n')}`, sections: [] };
}
