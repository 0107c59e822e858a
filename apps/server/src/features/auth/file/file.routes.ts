import { createHash } from 'node:crypto'
import { file } from '@wattdeck/contract/auth/file.ts'
import { cleanFileName, withExtension } from '@wattdeck/domain/file-name.ts'
import { defineFeature } from '../../../kit/http/feature.ts'
import { placeOf } from '../../../kit/auth/actor.ts'
import { type Handlers, prepared } from '../../../kit/http/handlers.ts'
import type { Deps } from '../../../kit/http/http.ts'
import { readPicture } from '../../../kit/files/pictures.ts'
import { invalid, orNotFound } from '../../../kit/http/refusal.ts'
import { addStoredFile, newObjectKey } from '../../../kit/files/stored-files.ts'
import * as store from './file.store.ts'

const type = 'image/webp'
const fitting = { width: 2000, height: 2000, fit: 'inside', withoutEnlargement: true } as const

const fileHandlers = ({ files }: Deps): Handlers<typeof file> => ({
  uploadPicture: prepared({
    prepare: async ({ actor, file: sent }) => {
      if (sent === undefined) throw invalid('请选择文件')
      const picture = await readPicture(sent.bytes, fitting)
      const objectKey = newObjectKey('picture', actor.organiseId)
      await files.put(objectKey, picture.bytes, type)
      return { ...picture, objectKey, name: withExtension(cleanFileName(sent.name, '图片'), 'webp') }
    },
    handle: async ({ db, actor }, { objectKey, name, bytes, width, height }) => {
      const id = await addStoredFile(db, {
        place: placeOf(actor),
        userId: actor.userId,
        createdBy: actor.userName,
        kind: 'picture',
        objectKey,
        name,
        type,
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        width,
        height,
      })
      return { id, name, bytes: bytes.length, width, height }
    },
    undo: ({ objectKey }) => files.remove(objectKey),
  }),

  content: async ({ db, actor, params }) => {
    return orNotFound(await store.findFile(db, params.id, actor.userId))
  },
})

export const fileFeature = defineFeature(file, fileHandlers)
