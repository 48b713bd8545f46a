import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  Outlet,
  useParams,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { chunk } from './kit/chunk.ts';
import { Empty } from './kit/empty.tsx';
import { PageSkeleton } from './kit/skeletons.tsx';
import { type ObjectEntry, type PageEntry, pages, redirects } from './pages/index.ts';
import { basepath, belowBase, history, placeIn, rewrite } from './session/place.ts';
import { SignInPage } from './session/sign_in.tsx';
import { Broken } from './shell/broken.tsx';
import { Frame } from './shell/frame.tsx';
import { guarded } from './shell/guarded.tsx';

/** Account and mode belong to what is matched, so that a page is never shown with those of the next one. */
const root = createRootRoute({
  component: Outlet,
  beforeLoad: ({ location }) => ({ place: placeIn(belowBase(location.publicHref)) }),
});

/** Everything but signing in: with the navigation, for somebody who has signed in. */
const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: Frame });

const signIn = createRoute({ getParentRoute: () => root, path: 'sign-in', component: SignInPage });
const invitation = createRoute({
  getParentRoute: () => root,
  path: 'invitation',
  component: lazyRouteComponent(
    chunk(() => import('./session/invitation.tsx')),
    'InvitationPage',
  ),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: 'reset',
  component: lazyRouteComponent(
    chunk(() => import('./session/reset.tsx')),
    'ResetPage',
  ),
});

const anythingElse = createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFound });

function routesOf(entry: PageEntry) {
  const { path, page, detail } = entry;
  const list = createRoute({
    getParentRoute: () => signedIn,
    path: path || '/',
    component: guarded(entry, lazyRouteComponent(chunk(page), 'Page')),
  });
  if (detail === undefined) return [list];
  const component = guarded(entry, objectPage(detail));
  return [list, createRoute({ getParentRoute: () => signedIn, path: `${path}/$id`, component })];
}

function detailRoute({ path, detail }: ObjectEntry) {
  return createRoute({ getParentRoute: () => signedIn, path: `${path}/$id`, component: objectPage(detail) });
}

/** Another object of the same kind gets a page of its own: nothing that was typed for one is shown for the other. */
function objectPage(detail: ObjectEntry['detail']) {
  const Detail = lazyRouteComponent(chunk(detail), 'Detail');
  function ObjectPage(): ReactNode {
    const { id } = useParams({ strict: false }) as { id: string };
    return <Detail key={id} id={id} />;
  }
  return Object.assign(ObjectPage, { preload: () => Detail.preload?.() });
}

function NotFound() {
  return (
    <Empty isPage icon="search" title="Page not found" text="Check the address. The page may have been removed.">
      <Link to="/">Go to Home</Link>
    </Empty>
  );
}

const asText = (search: Record<string, unknown>): string => {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
};

export const router = createRouter({
  routeTree: root.addChildren([
    signedIn.addChildren([...pages.flatMap(routesOf), ...redirects.map(detailRoute), anythingElse]),
    signIn,
    invitation,
    reset,
  ]),
  basepath,
  history,
  rewrite,
  defaultPreload: 'intent',
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: Broken,
  scrollRestoration: true,
  // Filters are texts, as somebody would type them.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: asText,
});

/** The router keeps the addresses of links, and does not know that they depend on the place. It forgets them when it is updated. */
let shown = history.location.pathname;
history.subscribe(({ location: { pathname } }) => {
  const [before, now] = [shown, pathname].map((one) => JSON.stringify(placeIn(belowBase(one))));
  shown = pathname;
  if (before !== now) router.update(router.options);
});
