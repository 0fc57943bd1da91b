//! The one kind of pipeline used here: instanced quads, blended, no depth.

/// What differs between the layers.
pub(crate) struct PipelineSpec<'a> {
    pub(crate) label: &'a str,
    /// WGSL with the entry points `vertex` and `fragment`.
    pub(crate) shader: &'a str,
    pub(crate) layouts: &'a [&'a wgpu::BindGroupLayout],
    /// Bytes per instance; 0 for a layer that is a single quad.
    pub(crate) stride: usize,
    pub(crate) attributes: &'a [wgpu::VertexAttribute],
    pub(crate) format: wgpu::TextureFormat,
}

pub(crate) fn pipeline(device: &wgpu::Device, spec: &PipelineSpec<'_>) -> wgpu::RenderPipeline {
    let label = Some(spec.label);
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label,
        source: wgpu::ShaderSource::Wgsl(spec.shader.into()),
    });
    let layouts: Vec<_> = spec.layouts.iter().copied().map(Some).collect();
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &layouts,
        immediate_size: 0,
    });
    let instances = Some(wgpu::VertexBufferLayout {
        array_stride: spec.stride as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: spec.attributes,
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label,
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vertex"),
            compilation_options: Default::default(),
            buffers: if spec.stride == 0 {
                &[]
            } else {
                std::slice::from_ref(&instances)
            },
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            ..Default::default()
        },
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("fragment"),
            compilation_options: Default::default(),
            targets: &[Some(wgpu::ColorTargetState {
                format: spec.format,
                blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}
