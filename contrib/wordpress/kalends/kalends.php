<?php
/**
 * Plugin Name: Kalends Calendar
 * Description: Shows a Kalends calendar on this site: a block, the shortcodes of The Events Calendar, and redirects of its old addresses.
 * Version: 1.0.0
 * Requires at least: 6.0
 * Requires PHP: 7.4
 * License: GPL-2.0-or-later
 * License URI: https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain: kalends
 */

if ( ! defined( 'ABSPATH' ) ) {
	exit;
}

const KALENDS_OPTION = 'kalends_settings';
const KALENDS_VIEWS  = array( 'month', 'week', 'day', 'list' );
const KALENDS_MOST   = 100;

/** The address of the calendar without a slash at its end; empty while nobody has set one. */
function kalends_address() {
	$settings = get_option( KALENDS_OPTION, array() );
	return is_array( $settings ) && isset( $settings['address'] ) ? (string) $settings['address'] : '';
}

/** Whether old addresses of events on this site lead to the calendar. */
function kalends_redirects() {
	$settings = get_option( KALENDS_OPTION, array() );
	return is_array( $settings ) && ! empty( $settings['redirects'] );
}

/* Settings */

function kalends_register_settings() {
	register_setting(
		'kalends',
		KALENDS_OPTION,
		array(
			'type'              => 'array',
			'sanitize_callback' => 'kalends_sanitize',
			'default'           => array(),
		)
	);
}

/** What the form sent, as it is kept. An address that is none leaves the one before. */
function kalends_sanitize( $sent ) {
	$sent    = is_array( $sent ) ? $sent : array();
	$written = isset( $sent['address'] ) && is_string( $sent['address'] ) ? trim( $sent['address'] ) : '';
	$address = untrailingslashit( esc_url_raw( $written, array( 'http', 'https' ) ) );
	$parts   = wp_parse_url( $address );
	if ( '' !== $written && ( empty( $parts['host'] ) || isset( $parts['user'] ) || isset( $parts['query'] ) || isset( $parts['fragment'] ) ) ) {
		add_settings_error( KALENDS_OPTION, 'address', __( 'That is not the address of a calendar, such as https://calendar.example.', 'kalends' ) );
		$address = kalends_address();
	}
	return array(
		'address'   => $address,
		'redirects' => empty( $sent['redirects'] ) ? 0 : 1,
	);
}

function kalends_add_page() {
	add_options_page( __( 'Kalends Calendar', 'kalends' ), __( 'Kalends Calendar', 'kalends' ), 'manage_options', 'kalends', 'kalends_show_page' );
}

/** The settings page; its form goes to options.php, which checks the nonce and the right of the user. */
function kalends_show_page() {
	if ( ! current_user_can( 'manage_options' ) ) {
		return;
	}
	echo '<div class="wrap"><h1>' . esc_html__( 'Kalends Calendar', 'kalends' ) . '</h1><form method="post" action="options.php">';
	settings_fields( 'kalends' );
	echo '<table class="form-table" role="presentation"><tr><th scope="row"><label for="kalends-address">';
	echo esc_html__( 'Address of the calendar', 'kalends' ) . '</label></th><td>';
	echo '<input type="url" class="regular-text" id="kalends-address" name="' . esc_attr( KALENDS_OPTION ) . '[address]" value="'
		. esc_attr( kalends_address() ) . '" placeholder="https://calendar.example">';
	echo '</td></tr><tr><th scope="row">' . esc_html__( 'Old addresses', 'kalends' ) . '</th><td><label>';
	echo '<input type="checkbox" name="' . esc_attr( KALENDS_OPTION ) . '[redirects]" value="1"' . ( kalends_redirects() ? ' checked' : '' ) . '> ';
	echo esc_html__( 'Addresses of events on this site lead to the calendar', 'kalends' ) . '</label></td></tr></table>';
	submit_button();
	echo '</form></div>';
}

/* The calendar on a page */

/** The element with these attributes; an attribute that is empty is left out, and true stands alone. */
function kalends_element( array $attributes ) {
	$address = kalends_address();
	if ( '' === $address ) {
		return current_user_can( 'manage_options' )
			? '<p>' . esc_html__( 'Set the address of the calendar under Settings > Kalends Calendar.', 'kalends' ) . '</p>'
			: '';
	}
	wp_enqueue_script( 'kalends-embed', $address . '/embed.js', array(), null, array( 'in_footer' => true, 'strategy' => 'async' ) );
	$written = ' src="' . esc_url( $address ) . '"';
	foreach ( $attributes as $name => $value ) {
		if ( true === $value ) {
			$written .= ' ' . esc_attr( $name );
		} elseif ( '' !== $value && null !== $value && false !== $value ) {
			$written .= ' ' . esc_attr( $name ) . '="' . esc_attr( (string) $value ) . '"';
		}
	}
	$link = '<a href="' . esc_url( $address . '/events/' ) . '">' . esc_html__( 'Calendar of events', 'kalends' ) . '</a>';
	return '<kalends-calendar' . $written . '>' . $link . '</kalends-calendar>';
}

/** A view of The Events Calendar as one that the element has; those of its Pro plugin are lists. */
function kalends_view( $view ) {
	$view = strtolower( trim( (string) $view ) );
	if ( '' === $view || in_array( $view, array( 'default', 'week-grid' ), true ) ) {
		return 'week-grid' === $view ? 'week' : 'month';
	}
	return in_array( $view, KALENDS_VIEWS, true ) ? $view : 'list';
}

/** Slugs or ids of terms: only what can be one, separated by commas. */
function kalends_terms( $written ) {
	$found = array();
	foreach ( explode( ',', (string) $written ) as $one ) {
		$one = trim( $one );
		if ( '' !== $one ) {
			$found[] = sanitize_title( $one );
		}
	}
	return implode( ',', array_filter( $found ) );
}

function kalends_number( $written ) {
	$number = absint( $written );
	return $number > 0 ? min( $number, KALENDS_MOST ) : '';
}

function kalends_is_on( $written ) {
	return ! in_array( strtolower( trim( (string) $written ) ), array( '', '0', 'false', 'no', 'off', 'hide' ), true );
}

/** `[tribe_events view="list" category="music" tag="…" events_per_page="5" tribe-bar="false"]` */
function kalends_shortcode( $given = array() ) {
	$given = shortcode_atts(
		array(
			'view'                => 'month',
			'category'            => '',
			'cat'                 => '',
			'tag'                 => '',
			'date'                => '',
			'featured'            => '',
			'keyword'             => '',
			'events_per_page'     => '',
			'tribe-bar'           => 'true',
			'filter-bar'          => '',
			'hide_weekends'       => '',
			'hide_subsequent_recurrences' => '',
		),
		is_array( $given ) ? $given : array(),
		'tribe_events'
	);
	$has_bar = kalends_is_on( $given['tribe-bar'] );
	return kalends_element(
		array(
			'view'     => kalends_view( $given['view'] ),
			'views'    => $has_bar ? '' : 'none',
			'filters'  => $has_bar && kalends_is_on( $given['filter-bar'] ),
			'category' => kalends_terms( '' !== $given['category'] ? $given['category'] : $given['cat'] ),
			'tag'      => kalends_terms( $given['tag'] ),
			'date'     => preg_match( '/^\d{4}-\d{2}(-\d{2})?$/', (string) $given['date'] ) ? $given['date'] : '',
			'search'   => sanitize_text_field( (string) $given['keyword'] ),
			'featured' => kalends_is_on( $given['featured'] ),
			'collapse' => kalends_is_on( $given['hide_subsequent_recurrences'] ),
			'limit'    => kalends_number( $given['events_per_page'] ),
		)
	);
}

/** `[tribe_events_list limit="3" category="music"]` */
function kalends_list_shortcode( $given = array() ) {
	$given = shortcode_atts(
		array( 'limit' => '5', 'category' => '', 'categories' => '', 'tag' => '', 'tags' => '', 'featured_events_only' => '' ),
		is_array( $given ) ? $given : array(),
		'tribe_events_list'
	);
	return kalends_element(
		array(
			'view'     => 'list',
			'views'    => 'none',
			'category' => kalends_terms( '' !== $given['category'] ? $given['category'] : $given['categories'] ),
			'tag'      => kalends_terms( '' !== $given['tag'] ? $given['tag'] : $given['tags'] ),
			'featured' => kalends_is_on( $given['featured_events_only'] ),
			'limit'    => kalends_number( $given['limit'] ),
		)
	);
}

/** What the block shows; its attributes are those of the shortcode. */
function kalends_render_block( $attributes ) {
	$attributes = is_array( $attributes ) ? $attributes : array();
	return kalends_shortcode(
		array(
			'view'            => isset( $attributes['view'] ) ? $attributes['view'] : 'month',
			'category'        => isset( $attributes['category'] ) ? $attributes['category'] : '',
			'tag'             => isset( $attributes['tag'] ) ? $attributes['tag'] : '',
			'events_per_page' => isset( $attributes['perPage'] ) ? $attributes['perPage'] : '',
			'tribe-bar'       => empty( $attributes['hideBar'] ) ? 'true' : 'false',
		)
	);
}

function kalends_register() {
	// Sites that still run the plugin of these names keep its shortcodes.
	foreach ( array( 'tribe_events' => 'kalends_shortcode', 'tribe_events_list' => 'kalends_list_shortcode' ) as $name => $function ) {
		if ( ! shortcode_exists( $name ) ) {
			add_shortcode( $name, $function );
		}
	}
	add_shortcode( 'kalends', 'kalends_shortcode' );
	wp_register_script( 'kalends-block', plugins_url( 'block.js', __FILE__ ), array( 'wp-blocks', 'wp-element', 'wp-block-editor', 'wp-components', 'wp-i18n' ), '1.0.0', true );
	register_block_type(
		'kalends/calendar',
		array(
			'api_version'     => 2,
			'editor_script'   => 'kalends-block',
			'render_callback' => 'kalends_render_block',
			'attributes'      => array(
				'view'     => array( 'type' => 'string', 'default' => 'month' ),
				'category' => array( 'type' => 'string', 'default' => '' ),
				'tag'      => array( 'type' => 'string', 'default' => '' ),
				'perPage'  => array( 'type' => 'number', 'default' => 10 ),
				'hideBar'  => array( 'type' => 'boolean', 'default' => false ),
			),
		)
	);
}

/* Old addresses */

/** Where an address of this site leads in the calendar; empty for what is none of events. `$address` is a path with its query. */
function kalends_target( $address ) {
	$parts = wp_parse_url( $address );
	$path  = isset( $parts['path'] ) ? preg_replace( '#/+#', '/', $parts['path'] ) : '/';
	$query = isset( $parts['query'] ) ? $parts['query'] : '';
	wp_parse_str( $query, $sent );
	$named    = array_intersect_key( $sent, array_flip( array( 'tribe_events', 'tribe_venue', 'tribe_organizer', 'tribe_events_cat' ) ) );
	$is_root  = in_array( rtrim( $path, '/' ), array( '', '/index.php' ), true );
	$is_typed = isset( $sent['post_type'] ) && is_string( $sent['post_type'] ) && in_array( $sent['post_type'], array( 'tribe_events', 'tribe_venue', 'tribe_organizer' ), true );
	$is_path  = 1 === preg_match( '#^/(event|events|venue|organizer|series)(/[A-Za-z0-9%._~!$&\'()*+,;=:@/-]*)?$#', $path );
	if ( '' === kalends_address() || 0 === strpos( $address, '//' ) || false !== strpos( $path, '..' ) || ! ( $is_path || ( $is_root && ( $named || $is_typed ) ) ) ) {
		return '';
	}
	return kalends_address() . $path . ( '' === $query ? '' : '?' . $query );
}

/** Visitors of an old address go to the calendar, unless this site has a page there. */
function kalends_redirect() {
	if ( ! kalends_redirects() || is_admin() || ! isset( $_SERVER['REQUEST_URI'], $_SERVER['REQUEST_METHOD'] ) ) {
		return;
	}
	$address = esc_url_raw( wp_unslash( $_SERVER['REQUEST_URI'] ) );
	$base    = rtrim( (string) wp_parse_url( home_url(), PHP_URL_PATH ), '/' );
	if ( '' !== $base && 0 === strpos( $address, $base . '/' ) ) {
		$address = substr( $address, strlen( $base ) );
	}
	$target = in_array( $_SERVER['REQUEST_METHOD'], array( 'GET', 'HEAD' ), true ) ? kalends_target( $address ) : '';
	$is_own = ! is_404() && ! preg_match( '#^/(index\.php)?\?#', $address );
	// A calendar below this very site must not lead to itself.
	if ( '' === $target || $is_own || 0 === strpos( kalends_address() . '/', home_url( '/' ) ) ) {
		return;
	}
	wp_redirect( esc_url_raw( $target ), 301, 'Kalends' );
	exit;
}

add_action( 'admin_init', 'kalends_register_settings' );
add_action( 'admin_menu', 'kalends_add_page' );
add_action( 'init', 'kalends_register', 20 );
add_action( 'template_redirect', 'kalends_redirect', 1 );
