import { nonce } from './nonce.ts';
import './mantine.ts';
import '../../server/base/look/look.css';
import './style.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { router } from './router.tsx';
import { colorSchemeManager } from './session/color_scheme.ts';
import { queries } from './session/queries.ts';
import { theme } from './theme.ts';

const root = document.getElementById('root')!;

// The shape of a page, which index.html brings, stays until there is something to read.
new MutationObserver((_, observer) => {
  if (root.querySelector('main, h1, [role=alert]') === null) return;
  document.getElementById('shell')?.remove();
  observer.disconnect();
}).observe(root, { childList: true, subtree: true });

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <Notifications position="bottom-right" limit={4} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
