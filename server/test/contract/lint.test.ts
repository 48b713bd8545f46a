import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { catalog, describedBy } from '../../catalog.ts';
import { openApi } from '../../http/pages/openapi/document.ts';
import { isTorture } from '../torture.ts';

/** As a gateway serves it that others reach: the rules want an address that is not of this machine. */
const source = JSON.stringify(openApi(describedBy(catalog, () => 'https://pay.shop.test')));

test('the document passes the recommended rules of Redocly', async () => {
  const config = await createConfig({ extends: ['recommended'], telemetry: 'off' });
  const found = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  expect(found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([]);
});

// Spectral takes ten times as long, for rules of which most are the same.
test.runIf(isTorture)("the document passes all rules of Spectral's oas", async () => {
  const linter = new spectral.Spectral();
  // The gateway does not know how its operator can be reached.
  const rules = { 'contact-properties': 'off' } as const;
  linter.setRuleset({ extends: [[rulesets.oas as never, 'all']], rules });
  const found = await linter.run(source);
  expect(found.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`)).toEqual([]);
});
