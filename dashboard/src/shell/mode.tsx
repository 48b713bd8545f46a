import { SegmentedControl } from '@mantine/core';
import { useLocation, useParams } from '@tanstack/react-router';
import type { Mode } from '../session/rights.ts';
import { useWorkspace } from '../session/workspace.tsx';
import style from './frame.module.css';

/** Above everything, in a colour of its own, so that nobody confuses the modes. */
export function ModeBar() {
  const { mode } = useWorkspace();
  if (mode === 'test') return <div className={style.test} data-mode={mode} />;
  return (
    <div className={style.live} role="status" data-mode={mode}>
      <strong>Live mode</strong>: real money
    </div>
  );
}

/** The words of the line above everything. */
export function TestChip() {
  const { mode } = useWorkspace();
  if (mode !== 'test') return null;
  return (
    <span className={style.chip} role="status" title="No real money moves">
      Test mode
    </span>
  );
}

export function ModeSwitch() {
  const { mode } = useWorkspace();
  const go = useGo();
  return (
    <SegmentedControl
      flex="none"
      size="xs"
      aria-label="Mode"
      value={mode}
      onChange={(value) => go({ mode: value as Mode })}
      data={[
        { value: 'test', label: 'Test' },
        { value: 'live', label: 'Live' },
      ]}
    />
  );
}

/** To another account or mode, on the same page. What is shown of one object is not there: its list is. */
export function useGo(): (to: { account?: string; mode?: Mode }) => void {
  const { go } = useWorkspace();
  const { id } = useParams({ strict: false }) as { id?: string };
  const { pathname } = useLocation();
  return (to) => go(to, id === undefined ? pathname : pathname.slice(0, pathname.lastIndexOf('/')));
}
