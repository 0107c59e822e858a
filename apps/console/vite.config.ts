import { env } from 'node:process'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const api = env['API_URL'] ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react()],
  server: {
    host: '127.0.0.1',
    port: Number(env['CONSOLE_PORT'] ?? 5173),
    strictPort: true,
    proxy: Object.fromEntries(['/seeker', '/order', '/wechat', '/open'].map((path) => [path, api])),
  },
  build: { manifest: true, chunkSizeWarningLimit: 1200 },
})
