import type { RouteComponent } from '@tanstack/react-router';
import { Empty } from '../kit/empty.tsx';
import { useTitle } from '../kit/title.ts';
import type { PageEntry } from '../pages/index.ts';
import { useWorkspace } from '../session/workspace.tsx';

/** A page that says who can open it to those who cannot: a link may lead there, and the navigation does not. */
export function guarded({ title, icon, calls }: PageEntry, Page: RouteComponent): RouteComponent {
  if (calls === undefined) return Page;
  function GuardedPage() {
    const { may, whoMay, account } = useWorkspace();
    if (may(calls!)) return <Page />;
    return (
      <NotForRole
        title={title}
        icon={icon}
        text={`${whoMay(calls!)} can open this page. Your role is ${account.role}.`}
      />
    );
  }
  return Object.assign(GuardedPage, { preload: () => Page.preload?.() });
}

function NotForRole({ title, icon, text }: Pick<PageEntry, 'title' | 'icon'> & { text: string }) {
  useTitle(title);
  return <Empty isPage icon={icon} title={title} text={text} />;
}
