import './kit/api/trusted-types.ts'
import './kit/form/zod-setup.ts'
import './kit/theme/tones.css'
import './kit/theme/base.css'
import './kit/display/parts.css'
import './kit/list/list.css'
import './kit/form/form.css'
import './kit/tree/tree.css'
import './shell/top-bar.css'
import './shell/shell.css'
import './shell/overlays.css'
import './shell/phone.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { AppearanceProvider } from './kit/theme/AppearanceProvider.tsx'
import { watchConnection } from './kit/api/connection.ts'
import { queryClient } from './kit/api/queries.ts'
import { router } from './shell/router.tsx'
import { SessionWatch } from './shell/SessionWatch.tsx'
import { StepUpWatch } from './shell/StepUpWatch.tsx'

const place = document.querySelector('#root')
if (!place) throw new Error('index.html has no #root')

watchConnection()
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <AppearanceProvider>
        <SessionWatch>
          <RouterProvider router={router} />
          <StepUpWatch />
        </SessionWatch>
      </AppearanceProvider>
    </QueryClientProvider>
  </StrictMode>,
)
