import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { Clock } from './components/time.tsx';
import { ToastRegion } from './components/toast.tsx';
import { createQueries } from './query-client.ts';
import { router } from './router.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no #root');

createRoot(root).render(
  <CSPProvider disableStyleElements>
    <QueryClientProvider client={createQueries()}>
      <Clock>
        <ToastRegion>
          <RouterProvider router={router} />
        </ToastRegion>
      </Clock>
    </QueryClientProvider>
  </CSPProvider>,
);
