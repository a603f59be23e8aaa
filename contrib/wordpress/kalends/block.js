/* The block of the calendar in the editor of WordPress; GPL-2.0-or-later. What visitors see comes from kalends.php. */
( function ( blocks, element, editor, components, i18n ) {
	const el = element.createElement;
	const __ = ( text ) => i18n.__( text, 'kalends' );
	const views = [ 'month', 'week', 'day', 'list' ].map( ( view ) => ( { value: view, label: view } ) );

	function Edit( { attributes, setAttributes } ) {
		const text = ( name, label ) =>
			el( components.TextControl, {
				label: __( label ),
				value: attributes[ name ],
				onChange: ( value ) => setAttributes( { [ name ]: value } ),
			} );
		const panel = el(
			components.PanelBody,
			{ title: __( 'Calendar' ) },
			el( components.SelectControl, {
				label: __( 'View' ),
				value: attributes.view,
				options: views,
				onChange: ( view ) => setAttributes( { view } ),
			} ),
			text( 'category', 'Categories: slugs, separated by commas' ),
			text( 'tag', 'Tags: slugs, separated by commas' ),
			el( components.RangeControl, {
				label: __( 'Events per page' ),
				value: attributes.perPage,
				min: 1,
				max: 100,
				onChange: ( perPage ) => setAttributes( { perPage } ),
			} ),
			el( components.ToggleControl, {
				label: __( 'Without a choice of views' ),
				checked: attributes.hideBar,
				onChange: ( hideBar ) => setAttributes( { hideBar } ),
			} )
		);
		const shown = [ __( 'Calendar of events' ), attributes.view, attributes.category, attributes.tag ];
		return el(
			'div',
			editor.useBlockProps(),
			el( editor.InspectorControls, {}, panel ),
			el( components.Placeholder, { icon: 'calendar-alt', label: shown.filter( Boolean ).join( ' · ' ) } )
		);
	}

	blocks.registerBlockType( 'kalends/calendar', {
		apiVersion: 2,
		title: __( 'Kalends Calendar' ),
		icon: 'calendar-alt',
		category: 'widgets',
		attributes: {
			view: { type: 'string', default: 'month' },
			category: { type: 'string', default: '' },
			tag: { type: 'string', default: '' },
			perPage: { type: 'number', default: 10 },
			hideBar: { type: 'boolean', default: false },
		},
		edit: Edit,
		save: () => null,
	} );
} )( window.wp.blocks, window.wp.element, window.wp.blockEditor, window.wp.components, window.wp.i18n );
