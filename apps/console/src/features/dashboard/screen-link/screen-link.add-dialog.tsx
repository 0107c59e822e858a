import { screenLink, screenLinkMost } from '@wattdeck/contract/dashboard/screen-link.ts'
import type { BodyOf } from '@wattdeck/contract/kit/route.ts'
import { deviceCategory } from '@wattdeck/contract/product/device-category.ts'
import { defaultOrganiseId } from '@wattdeck/domain/roles.ts'
import { Alert, Button, Descriptions, Form, Modal } from 'antd'
import * as cells from '../../../kit/display/cells.tsx'
import { CopyId } from '../../../kit/display/CopyId.tsx'
import { FormDialog } from '../../../kit/form/FormDialog.tsx'
import { OrganiseField } from '../../../kit/owner-region/OwnerFields.tsx'
import { useDetail } from '../../../kit/api/queries.ts'
import { RegionCascader } from '../../../kit/owner-region/RegionCascader.tsx'
import { useUser } from '../../../kit/api/user.ts'
import { linkTo } from '../wallboard/link-source.ts'
import { TextField } from '../../../kit/form/fields/TextField.tsx'
import { SelectField } from '../../../kit/form/fields/SelectField.tsx'
import './screen-link.css'
import { dialogWidth } from '../../../kit/form/dialog-width.ts'

export type MadeLink = { token: string; expiresAt: string }
type Values = BodyOf<typeof screenLink.add> & { region?: string[] }

const lifetimes = [7, 30, 90, 180, screenLinkMost.days].map((days) => ({
  value: days,
  label: days === screenLinkMost.days ? '1 年' : `${days} 天`,
}))

type Props = { onMade: (link: MadeLink) => void; onClose: () => void }

export function LinkDialog({ onMade, onClose }: Props) {
  const user = useUser()
  const classes = useDetail(deviceCategory.bigList)
  // The platform has no figures of its own, so its users must choose an organisation.
  const own = user?.organiseId === defaultOrganiseId ? {} : { organiseId: user?.organiseId }
  return (
    <FormDialog
      title="生成大屏链接"
      route={screenLink.add}
      initial={{ ...own, days: 30 }}
      okText="生成"
      refresh={[screenLink.list]}
      toBody={(values) => {
        const { region: [provinceCode, cityCode, districtCode] = [], ...body } = values as Values
        return { ...body, provinceCode, cityCode, districtCode }
      }}
      onDone={onMade}
      onClose={onClose}
    >
      <TextField name="name" label="名称" help="显示为大屏的标题" placeholder="如 绿行充电运营数据大屏" />
      <OrganiseField />
      <SelectField name="days" label="有效期" options={lifetimes} />
      <SelectField
        name="deviceFirstClass"
        label="设备大类"
        help="留空则显示全部设备"
        allowClear
        placeholder="全部"
        options={(classes.data ?? []).map(({ code, name }) => ({ value: code, label: name }))}
      />
      <Form.Item name="region" label="区域" help="留空则显示全部区域；选定后大屏只能查看该区域">
        <RegionCascader label="区域" anyLevel />
      </Form.Item>
    </FormDialog>
  )
}

/** The only place where the link is shown. */
export function MadeLinkDialog({ made: link, onClose }: { made: MadeLink; onClose: () => void }) {
  const url = linkTo(link.token)
  return (
    <Modal
      open
      title="大屏链接已生成"
      width={dialogWidth.s}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        <>
          <Button href={url} target="_blank" rel="noopener">
            在新标签页打开
          </Button>
          <Button type="primary" onClick={onClose}>
            关闭
          </Button>
        </>
      }
    >
      <Alert
        className="screen-link-alert"
        type="warning"
        showIcon
        title="链接只显示这一次，请立即复制并妥善保管"
        description="持有链接的人无需登录即可查看该机构的统计数据；不再使用时请撤销。"
      />
      <Descriptions
        column={1}
        bordered
        size="small"
        items={[
          {
            key: 'url',
            label: '大屏链接',
            children: (
              <span className="screen-link-url">
                <CopyId value={url} what="大屏链接" />
              </span>
            ),
          },
          { key: 'expiresAt', label: '有效期至', children: cells.time(link.expiresAt) },
        ]}
      />
    </Modal>
  )
}
