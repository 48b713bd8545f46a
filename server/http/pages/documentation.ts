import { jsonPage, type Page } from '../../base/page.ts';
import { inSlices } from '../../base/slices.ts';
import { homePage, type RunMode } from './home.ts';
import { type Described, openApiSteps } from './openapi/document.ts';
import { assetPages } from './reference/assets.ts';
import { guideNames } from './reference/guides.ts';
import { once } from './reference/once.ts';
import { dataDirUsual } from './reference/samples/sample.ts';
import { referencePages } from './reference/site.ts';

/** What the server tells about itself: the start page, the reference with the guides, and the description for programs. */
export function documentationPages(described: Described, mode: RunMode, dataDir = dataDirUsual): Page[] {
  // Made when it is first asked for: a start takes a tenth less time.
  const document = once(() => inSlices(openApiSteps(described)));
  const description = once(async () => jsonPage(200, await document()));
  return [
    homePage(described.version, mode),
    { path: '/openapi.json', counted: true, render: description },
    ...assetPages(),
    ...referencePages({ described, guideNames: guideNames(), dataDir: mode === 'dev' ? dataDir : undefined }, document),
  ];
}
