import { Link, useLocation } from '@tanstack/react-router';
import { Command } from '../kit/copy.tsx';
import { Notice } from '../kit/notice.tsx';
import { useRead } from '../kit/read.ts';
import { usePlace } from '../session/place.tsx';
import style from './frame.module.css';

/** Live mode takes no payment until there is a processor account: says how to add one. */
export function LiveNotice() {
  const { mode, account, may } = usePlace();
  const { pathname } = useLocation();
  const { data } = useRead(
    ['processor_accounts', 'any'],
    (api, options) => api.processorAccounts.list({ limit: 1 }, options),
    { isEnabled: mode === 'live' },
  );
  if (mode !== 'live' || data === undefined || data.data.length > 0) return null;
  const isThere = pathname.endsWith('/settings/processors');
  return (
    <div className={style.notice}>
      <Notice tone="waiting" title="No processor takes live payments yet">
        <p>
          {may('route') && !isThere && (
            <>
              <Link to={'/settings/processors' as string}>Add an account at a processor</Link>.{' '}
            </>
          )}
          {may('route') && isThere && 'Add one on this page. '}
          {!may('route') && 'An owner adds an account at a processor. '}
          The operator can do it too, where the gateway runs. <a href="/docs/guides/going-live">Going live</a> has all
          steps.
        </p>
        <Command
          text={`npx tollgate processors add --account ${account.id} --live --connector stripe --name "Stripe" --credential secret_key=@key.txt`}
        />
      </Notice>
    </div>
  );
}
