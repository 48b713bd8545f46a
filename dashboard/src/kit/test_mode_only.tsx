import { Button } from '@mantine/core';
import { useWorkspace } from '../session/workspace.tsx';
import { Empty } from './empty.tsx';
import type { IconName } from './icon.tsx';
import { useTitle } from './title.ts';

/** In live mode, in place of a page that is about test mode. */
export function TestModeOnly({ title, icon, text }: { title: string; icon: IconName; text: string }) {
  useTitle(title);
  const { go } = useWorkspace();
  return (
    <Empty isPage icon={icon} title={`${title} are available in test mode only`} text={text}>
      <Button variant="default" onClick={() => go({ mode: 'test' })}>
        Switch to test mode
      </Button>
    </Empty>
  );
}
