import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { catalog, describedBy } from '../../catalog.ts';
import { openApi } from '../../http/pages/openapi/document.ts';

const source = JSON.stringify(openApi(describedBy(catalog)));

/** Descriptions that are still to be written. */
const exceptions: readonly string[] = ['operation-description', 'tag-description', 'oas3-parameter-description'];

test('the document passes the recommended rules of Redocly', async () => {
  const config = await createConfig({ extends: ['recommended'], telemetry: 'off' });
  const all = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  const found = all.filter(({ ruleId }) => !exceptions.includes(ruleId));
  expect(found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([]);
});

test("the document passes all rules of Spectral's oas", async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [[rulesets.oas as never, 'all']] });
  const found = (await linter.run(source)).filter(({ code }) => !exceptions.includes(String(code)));
  expect(found.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`)).toEqual([]);
});
