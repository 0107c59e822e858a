import { basicInfo } from '@wattdeck/contract/personal/basic-info.ts'
import { App, Avatar, Button } from 'antd'
import { type ChangeEvent, useRef } from 'react'
import { pictureProblem, pictureTypes } from '../../../kit/media/picture.ts'
import { useSubmit } from '../../../kit/form/use-submit.ts'
import { reloadUser } from '../../../kit/api/user.ts'

export function AvatarUpload({ name, avatar }: { name: string; avatar: string | null }) {
  const { message } = App.useApp()
  const input = useRef<HTMLInputElement>(null)
  const upload = useSubmit(basicInfo.uploadAvatar, {
    refresh: [basicInfo.read],
    feedback: 'silent',
    onDone: () => {
      void message.success('上传成功')
      void reloadUser()
    },
  })

  function choose(event: ChangeEvent<HTMLInputElement>) {
    const file = event.target.files?.[0]
    // Without the reset, choosing the same file again would fire no change event.
    event.target.value = ''
    if (!file) return
    const problem = pictureProblem(file)
    if (problem) void message.error(problem)
    else void upload.run({ file })
  }

  return (
    <div className="avatar-upload">
      <Avatar size={72} style={{ fontSize: 28 }} src={avatar ?? undefined} alt={`${name}的头像`}>
        {name.slice(0, 1)}
      </Avatar>
      <div>
        <Button loading={upload.pending} onClick={() => input.current?.click()}>
          更换头像
        </Button>
        <p className="meta">JPG 或 PNG，不超过 800KB</p>
      </div>
      <input ref={input} type="file" hidden aria-label="头像文件" accept={pictureTypes.join(',')} onChange={choose} />
    </div>
  )
}
